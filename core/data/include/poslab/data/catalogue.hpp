// SPDX-License-Identifier: Apache-2.0
// What schemes and experiments declare of themselves, as data: `study` checks studies against it, the command line
// prints it, results files store it. Filled by `host` (schemes) and `experiments`.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "poslab/data/quantity.hpp"

namespace poslab::data {

/// What to do about a scheme that nobody knows.
inline constexpr const char* if_it_is_yours = "if it is yours: --plugins DIR or POSLAB_PLUGIN_PATH";

/// As plugin.h numbers them.
enum class Family { none, additive, rotary, bias, relative_vectors, contextual, last = contextual };
inline constexpr const char* family_names[] = {"none", "additive", "rotary", "bias", "relative vectors", "contextual"};
static_assert(std::size(family_names) == static_cast<std::size_t>(Family::last) + 1);
inline const char* to_text(Family family) { return family_names[static_cast<std::size_t>(family)]; }

/// A library that a plugin's file makes the loader bring in.
struct LinkedLibrary {
  std::string file;
  std::string hash;  ///< base::sha256 of the file, hex
  bool operator==(const LinkedLibrary&) const = default;
};

struct SchemeInfo {
  std::string id, title, version, paper, summary, formula, used_in;
  Family family = Family::none;
  int least_axes = 1, most_axes = 1;
  bool real_positions = false;
  std::vector<Quantity> parameters;
  std::string file;                    ///< the library that it came from; only for people and provenance
  std::string file_hash;               ///< base::sha256 of that library, hex
  std::vector<LinkedLibrary> linked;   ///< what it links against beyond the system's own, in order of path
  std::vector<SchemeInfo> parts = {};  ///< of a mixed scheme (mixed.hpp): the plugins that take part, each once
  /// Whose code performs its cells: `file_hash`, then ` name=hash` for each linked library.
  std::string code_hash() const;
  const Quantity* parameter(const std::string& name) const;
};

/// How the code of two code hashes differs, in a few characters of each hash: "0123abcd, done with 4567cdef" of the
/// plugin's own file; otherwise the first library that differs, "libtables.so 0123abcd, done with 4567cdef".
std::string code_difference(const std::string& now, const std::string& before);

/// An axis of an experiment. Outer: one cell for each value. Inner: one cell takes the whole list (kind list), and it
/// is a dimension of its curves.
struct AxisInfo : Quantity {
  bool inner = false;
};

/// Tolerance of a measure, from the tables of the measures' pages: |a - b| <= absolute + relative * max(|a|, |b|)
/// + per_position * (largest position) + per_length * (length), all but the relative part in the measure's unit.
/// Statistical: no bit-independent bound is claimed.
struct Tolerance {
  double absolute = 0, relative = 0, per_position = 0, per_length = 0;
  bool statistical = false;
  double allowed(double a, double b, double largest_position, double length, double unit = 1) const;
  std::string text() const;
};

struct MeasureInfo {
  std::string name;
  std::vector<std::string> dimensions =
      {};  ///< empty: a scalar. Names of inner axes or of `dimensions` of the experiment
  std::string unit = "1";
  std::string sentence;    ///< one sentence: what it is (long_name)
  std::string definition;  ///< the formula, in plain text (comment)
  std::string null_value;  ///< what an encoding without position gives, as text
  Tolerance tolerance;
  std::optional<Tolerance> float32 = {};  ///< of cells whose scalar type that is, where rounding is another
  /// A scalar measure of the same cell, in whose unit the tolerances are but for their relative parts: the size of the
  /// numbers that cancel. Empty: 1.
  std::string tolerance_unit = {};
  std::string tolerance_text() const;
  /// The one that holds for a cell at this point.
  const Tolerance& tolerance_at(const Values& axes) const;
};

/// What a measure declares beside its name and dimensions: `visit(attribute, member)` for each, by the attribute's name
/// and in the order of a results file. First what it is, then what bounds its error.
template <class Measure, class Visit>
void for_each_description(Measure& measure, const Visit& visit) {
  visit("units", measure.unit);
  visit("long_name", measure.sentence);
  visit("comment", measure.definition);
  visit("null_value", measure.null_value);
}
template <class Measure, class Visit>
void for_each_bound(Measure& measure, const Visit& visit) {
  visit("tolerance", measure.tolerance);  // a name for each of its parts
  visit("tolerance_float32", measure.float32);
  visit("tolerance_unit", measure.tolerance_unit);
}
template <class Bounds, class Visit>
void for_each_part(Bounds& tolerance, const Visit& visit) {
  visit("_absolute", tolerance.absolute);
  visit("_relative", tolerance.relative);
  visit("_per_position", tolerance.per_position);
  visit("_per_length", tolerance.per_length);
  visit("_statistical", tolerance.statistical);
}

/// A dimension of curves that is not an inner axis: its coordinates come with each record (`position`, `offset`).
struct DimensionInfo {
  std::string name, unit, sentence;
  /// Axes: on plain positions every coordinate is smaller in size than `times` the product of their (largest) values.
  /// Empty: not known beforehand.
  std::vector<std::string> within = {};
  double times = 1;
  bool reached = false;  ///< whether one may be as large as that, as the last step is; for planning, stored nowhere
};

/// A file that an experiment reads at some points of its axes, and that the user names: --data text=FILE.
struct FileInfo {
  std::string name;      ///< "text"
  std::string sentence;  ///< what it must hold: "any text, of which the last tenth is held out"
  bool operator==(const FileInfo&) const = default;
};

struct ExperimentInfo {
  std::string id, version, title, question;
  std::vector<AxisInfo> axes;  ///< `d_model` and `heads` come on top, with every experiment
  std::vector<DimensionInfo> dimensions;
  std::vector<MeasureInfo> measures;
  bool draws_contents = false;
  int default_repeats = 10;  ///< where something is drawn; only for planning, and stored nowhere
  std::vector<FileInfo> files = {};
  const AxisInfo* axis(const std::string& name) const;
  const MeasureInfo* measure(const std::string& name) const;
};

/// Names that a results file reserves: refused as names of parameters, axes, dimensions and measures.
bool is_reserved(const std::string& name);

struct Catalogue {
  std::vector<SchemeInfo> schemes;
  std::vector<ExperimentInfo> experiments;
  const SchemeInfo* scheme(const std::string& id) const;
  const ExperimentInfo* experiment(const std::string& id) const;
};

}  // namespace poslab::data
