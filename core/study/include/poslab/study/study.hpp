// SPDX-License-Identifier: Apache-2.0
// TOML -> Study: what a study file says, checked against the catalogue; every mistake is reported with its location.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"

namespace poslab::study {

/// Line and column of a study, from 1; 0 where there is none (the command line).
struct SourceLocation {
  int line = 0, column = 0;
  auto operator<=>(const SourceLocation&) const = default;
};

struct Diagnostic {
  std::string file;
  SourceLocation location;
  std::string message;
  std::string text() const;  ///< "study.toml:14:3: ..."
};

/// All mistakes of a study, in order of location. `what()` has one line for each.
struct StudyErrors : base::Error {
  explicit StudyErrors(std::vector<Diagnostic> diagnostics);
  std::vector<Diagnostic> diagnostics;
};

/// A named list of values that a study crosses.
struct AxisValues {
  std::string name;
  std::vector<data::Value> values;  ///< for an inner axis: one value, the whole list
  SourceLocation location;
};

/// Lists of one length that move together.
using Zip = std::vector<AxisValues>;

/// A comparison in a skip or a where: `16`, or { ge = 4096 }, { lt = 8 }, { in = [..] }.
struct Condition {
  std::string name;
  enum class Relation { equal, not_equal, less, less_equal, greater, greater_equal, in } relation = Relation::equal;
  std::vector<data::Value> values;
  SourceLocation location;
};

/// How a study writes a relation; `equal` has no word.
struct RelationWord {
  const char* word;
  Condition::Relation relation;
};
inline constexpr std::array<RelationWord, 6> relation_words{{{"ge", Condition::Relation::greater_equal},
                                                             {"gt", Condition::Relation::greater},
                                                             {"le", Condition::Relation::less_equal},
                                                             {"lt", Condition::Relation::less},
                                                             {"ne", Condition::Relation::not_equal},
                                                             {"in", Condition::Relation::in}}};

struct Skip {
  std::vector<Condition> when;  ///< all must hold
  std::string reason;
};

/// An entry of `layers`.
struct LayerUse {
  std::string id;
  data::Values set;  ///< fixed parameters
  bool operator==(const LayerUse&) const = default;
};

struct SchemeUse {
  std::string id;                ///< of a mixed scheme (data/mixed.hpp) the one that is made of its entries
  data::Values set;              ///< fixed parameters
  std::vector<AxisValues> axes;  ///< parameters that vary, crossed
  std::vector<Zip> zips;
  SourceLocation location;
  std::optional<data::Placement> placement;  ///< of its tokens, if not the study's
  std::string label = {};                    ///< what its variants are called, if not by their scheme
  std::vector<LayerUse> layers = {};         ///< of a mixed scheme: the shortest list that repeats
};

struct ExperimentUse {
  std::string id;
  std::optional<int> repeats;
  std::vector<AxisValues> axes;
  std::vector<Zip> zips;
  std::vector<Skip> skips;
  SourceLocation location;
};

/// A published result that poslab cannot reproduce, and why: `poslab verify` lists it beside those that it can.
struct OutOfReach {
  std::string what, published, reason;
};

struct Study {
  std::string path, text;  ///< as read
  std::string title;
  std::uint64_t seed = 0;
  std::int64_t d_model = 128, heads = 8;
  data::Placement placement;  ///< of the tokens
  std::vector<SchemeUse> schemes;
  std::vector<ExperimentUse> experiments;
  std::vector<data::Expectation> expectations;
  std::vector<OutOfReach> out_of_reach;
  std::vector<data::SchemeInfo> mixed = {};  ///< the mixed schemes that it makes
  std::string hash() const;      ///< sha256 of the resolved study (formatting and comments do not count), 64 hex digits
  std::string resolved() const;  ///< the study as TOML with every default written out
};

/// Changes from the command line, which mirror the file.
struct Overrides {
  /// --axis length=128,256: replaces that axis in every experiment that has it.
  std::vector<std::pair<std::string, std::string>> axes;
  std::vector<std::string> only;  ///< --only rope: schemes or experiments, by id; a scheme's Python file
  bool others_join = false;       ///< schemes in `only` that the study has not join it, with their defaults
  /// --only task=copy: of every experiment the points with one of the values that are given for an axis, after `axes`.
  std::vector<std::pair<std::string, std::string>> values = {};
};

/// What a study knows: the catalogue, and the mixed schemes that it makes itself.
data::Catalogue catalogue_with(const data::Catalogue& catalogue, const Study& study);

/// The Python files that a study names (`use = "mine.py"`, from its folder), whole paths, in its order. Nothing of a
/// study that cannot be read or parsed: `read_study` says what is wrong with it.
std::vector<std::filesystem::path> files_used_in(const std::string& study);
/// The same as the study has them.
std::vector<std::string> names_of_files_in(const std::string& study);

/// Whether this path is a descriptor that this process was given open, as by `poslab run /dev/stdin` or `poslab run
/// <(make-study)`: no other process finds the study there.
bool is_given_open(const std::string& path);

/// Reads and checks a study. Throws base::FileError (missing, unreadable, a directory) or StudyErrors.
Study read_study(const std::string& path, const data::Catalogue& catalogue, const Overrides& overrides = {});
/// The same from text; `path` only names it in messages.
Study parse_study(const std::string& text, const std::string& path, const data::Catalogue& catalogue,
                  const Overrides& overrides = {});

}  // namespace poslab::study
