// SPDX-License-Identifier: Apache-2.0
// What a run or a table cannot be written for: names, units and sizes that no results file may have, and records that
// contradict what their experiment declares.
#pragma once

#include <cstddef>
#include <string>

#include "poslab/base/error.hpp"

namespace poslab::results {

struct UnusableName : base::Error {
  /// `reason`: "cannot be the name of a measure: results files reserve it".
  UnusableName(std::string name, const std::string& reason);
  std::string name;
};

/// xarray turns numbers with this unit into dates or durations.
struct UnusableUnit : base::Error {
  UnusableUnit(std::string variable, std::string unit);
  std::string variable, unit;
};

/// A variable with another number of values than its dimensions have, or an array than its coordinates.
struct SizeMismatch : base::Error {
  SizeMismatch(std::string variable, std::size_t values, std::size_t expected);
  SizeMismatch(std::string variable, std::size_t values, std::size_t expected, const std::string& dimension);
  std::string variable;
  std::size_t values, expected;
};

struct UnknownDimension : base::Error {
  UnknownDimension(const std::string& of, std::string dimension, const std::string& what_to_do);
  std::string dimension;
};

struct UndeclaredAxis : base::Error {
  UndeclaredAxis(std::string experiment, std::string axis);
  std::string experiment, axis;
};

struct UnknownExperiment : base::Error {
  explicit UnknownExperiment(std::string experiment);
  std::string experiment;
};

/// A record has a measure that its experiment does not declare, or not so.
struct MeasureMismatch : base::Error {
  enum class Kind { undeclared, other_dimensions, other_size };
  MeasureMismatch(Kind kind, std::string cell, std::string measure);
  Kind kind;
  std::string cell, measure;
};

}  // namespace poslab::results
