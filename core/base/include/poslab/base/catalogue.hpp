// SPDX-License-Identifier: Apache-2.0
// What schemes and experiments declare of themselves, as data: spec validates studies against it, the command line
// prints it, results carry it into the file. Filled by `host` (schemes) and `experiments`.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "poslab/base/value.hpp"

namespace poslab::base {

enum class Kind { real, integer, choice, flag, list };
const char* to_text(Kind kind);

/// A closed range with optional open ends. Applies to numbers and to each element of a list.
struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool above_lowest = false;      ///< `lowest` itself is not allowed
  bool below_highest = false;     ///< `highest` itself is not allowed
  bool contains(double x) const;  ///< false for nan
  std::string text() const;       ///< "greater than 1", "from 1 to 64", "at least 2", "any number"
};

/// A named, typed quantity with a range and a default: a scheme's parameter or an experiment's axis.
struct Quantity {
  std::string name;
  Kind kind = Kind::real;
  std::string unit = "1";
  std::string sentence;
  Value default_value;  ///< monostate: unset by default
  Range range;
  std::vector<std::string> choices;
  bool may_be_unset = false;
};

/// Empty if `value` fits `quantity` (an integer fits a real); otherwise a sentence that names value, range and choices.
std::string why_not(const Quantity& quantity, const Value& value);
/// `value` as the quantity's own type (an integer given for a real becomes a double). Precondition: it fits.
Value coerce(const Quantity& quantity, const Value& value);

enum class Family { none, additive, rotary, bias, relative_vectors, contextual };
const char* to_text(Family family);

struct SchemeInfo {
  std::string id, title, version, paper, summary, formula, used_in;
  Family family = Family::none;
  int least_axes = 1, most_axes = 1;
  bool real_positions = false;
  std::vector<Quantity> parameters;
  std::string file;       ///< the library that it came from; only for people and provenance
  std::string file_hash;  ///< sha256 of that library, hex
  const Quantity* parameter(const std::string& name) const;
};

/// An axis of an experiment. Outer: one cell a value. Inner: a list handed to one cell (kind list), a dimension of its curves.
struct AxisInfo : Quantity {
  bool inner = false;
};

/// Tolerance of a measure, from the tables of the measures' pages: |a - b| <= absolute + relative * max(|a|, |b|)
/// + per_position * (largest position) + per_length * (length). Statistical: no bit-independent bound is claimed.
struct Tolerance {
  double absolute = 0, relative = 0, per_position = 0, per_length = 0;
  bool statistical = false;
  double allowed(double a, double b, double largest_position, double length) const;
  std::string text() const;
};

struct MeasureInfo {
  std::string name;
  std::vector<std::string> dimensions;  ///< empty: a scalar. Names of inner axes or of `dimensions` of the experiment
  std::string unit = "1";
  std::string sentence;    ///< one sentence: what it is (long_name)
  std::string definition;  ///< the formula, in plain text (comment)
  std::string null_value;  ///< what an encoding without position gives, as text
  Tolerance tolerance;
};

/// A dimension of curves that is not an inner axis: its coordinates come with each record (`position`, `offset`).
struct DimensionInfo {
  std::string name, unit, sentence;
};

struct ExperimentInfo {
  std::string id, version, title, question;
  std::vector<AxisInfo> axes;  ///< `d_model` and `heads` come on top, with every experiment
  std::vector<DimensionInfo> dimensions;
  std::vector<MeasureInfo> measures;
  bool draws_contents = false;  ///< ten repeats by default
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

}  // namespace poslab::base
