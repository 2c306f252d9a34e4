// SPDX-License-Identifier: Apache-2.0
// TOML -> Study: what a study file says, checked against the catalogue, with every mistake at its place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/base/error.hpp"

namespace poslab::spec {

/// A place in a study: line and column from 1; 0 where there is none (the command line).
struct Place {
  int line = 0, column = 0;
  auto operator<=>(const Place&) const = default;
};

struct Diagnostic {
  std::string file;
  Place place;
  std::string message;
  std::string text() const;  ///< "study.toml:14:3: ..."
};

/// All mistakes of a study, in order of place. `what()` is one line each.
struct StudyErrors : base::Error {
  explicit StudyErrors(std::vector<Diagnostic> diagnostics);
  std::vector<Diagnostic> diagnostics;
};

/// A named list of values that a study crosses.
struct AxisValues {
  std::string name;
  std::vector<base::Value> values;  ///< for an inner axis: one value, the whole list
  Place place;
};

/// Lists of one length that move together.
using Zip = std::vector<AxisValues>;

/// A comparison in a skip or a where: `16`, or { ge = 4096 }, { lt = 8 }, { in = [..] }.
struct Condition {
  std::string name;
  enum class Relation { equal, not_equal, less, less_equal, greater, greater_equal, in } relation = Relation::equal;
  std::vector<base::Value> values;
  Place place;
};

struct Skip {
  std::vector<Condition> when;  ///< all must hold
  std::string reason;
};

struct SchemeUse {
  std::string id;
  base::Values set;              ///< fixed parameters
  std::vector<AxisValues> axes;  ///< parameters that vary, crossed
  std::vector<Zip> zips;
  Place place;
  std::optional<base::Placement> placement;  ///< where its tokens stand, if not where the study says
};

struct ExperimentUse {
  std::string id;
  std::optional<int> repeats;
  std::vector<AxisValues> axes;
  std::vector<Zip> zips;
  std::vector<Skip> skips;
  Place place;
};

struct Study {
  std::string path, text;  ///< as read
  std::string title;
  std::uint64_t seed = 0;
  std::int64_t d_model = 128, heads = 8;
  base::Placement placement;  ///< where the tokens stand
  std::vector<SchemeUse> schemes;
  std::vector<ExperimentUse> experiments;
  std::vector<base::Expectation> expectations;
  std::string hash() const;      ///< sha256 of the resolved study (formatting and comments do not count), 64 hex digits
  std::string resolved() const;  ///< the study as TOML with every default written out
};

/// Changes from the command line, which mirror the file.
struct Overrides {
  std::vector<std::pair<std::string, std::string>>
      axes;                       ///< --axis length=128,256 : replaces that axis wherever an experiment has it
  std::vector<std::string> only;  ///< --only rope : schemes or experiments, by id
};

/// Reads and checks a study. Throws base::FileError (missing, unreadable, a directory) or StudyErrors.
Study read_study(const std::string& path, const base::Catalogue& catalogue, const Overrides& overrides = {});
/// The same from text; `path` only names it in messages.
Study parse_study(const std::string& text, const std::string& path, const base::Catalogue& catalogue,
                  const Overrides& overrides = {});

}  // namespace poslab::spec
