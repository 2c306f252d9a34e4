// SPDX-License-Identifier: Apache-2.0
#include "write/errors.hpp"

#include <fmt/format.h>

#include <utility>

namespace poslab::results {
namespace {

const char* to_text(MeasureMismatch::Kind kind) {
  switch (kind) {
    case MeasureMismatch::Kind::undeclared: return ", which the experiment does not declare";
    case MeasureMismatch::Kind::other_dimensions: return " with other dimensions than the experiment declares";
    case MeasureMismatch::Kind::other_size: return " with another size at the second reading than at the first";
  }
  return "";
}

}  // namespace

UnusableName::UnusableName(std::string name_, const std::string& reason)
    : base::Error(fmt::format("\"{}\" {}", name_, reason)), name(std::move(name_)) {}

UnusableUnit::UnusableUnit(std::string variable_, std::string unit_)
    : base::Error(
          fmt::format("\"{}\" has the unit \"{}\", which xarray turns into a duration; write s, ms, min, h or d",
                      variable_, unit_)),
      variable(std::move(variable_)),
      unit(std::move(unit_)) {}

SizeMismatch::SizeMismatch(std::string variable_, std::size_t values_, std::size_t expected_)
    : base::Error(fmt::format("\"{}\" has {} values, but its dimensions hold {}", variable_, values_, expected_)),
      variable(std::move(variable_)),
      values(values_),
      expected(expected_) {}

SizeMismatch::SizeMismatch(std::string variable_, std::size_t values_, std::size_t expected_,
                           const std::string& dimension)
    : base::Error(fmt::format("the array \"{}\" has {} values along \"{}\", but there are {} coordinates", variable_,
                              values_, dimension, expected_)),
      variable(std::move(variable_)),
      values(values_),
      expected(expected_) {}

UnknownDimension::UnknownDimension(const std::string& of, std::string dimension_, const std::string& what_to_do)
    : base::Error(fmt::format("{} has the dimension \"{}\", {}", of, dimension_, what_to_do)),
      dimension(std::move(dimension_)) {}

UndeclaredAxis::UndeclaredAxis(std::string experiment_, std::string axis_)
    : base::Error(
          fmt::format("a cell of {} has the axis \"{}\", which the experiment does not declare", experiment_, axis_)),
      experiment(std::move(experiment_)),
      axis(std::move(axis_)) {}

UnknownExperiment::UnknownExperiment(std::string experiment_)
    : base::Error(fmt::format("a row is a cell of \"{}\", which is no experiment of this run", experiment_)),
      experiment(std::move(experiment_)) {}

MeasureMismatch::MeasureMismatch(Kind kind_, std::string cell_, std::string measure_)
    : base::Error(fmt::format("{} gave the measure \"{}\"{}", cell_, measure_, to_text(kind_))),
      kind(kind_),
      cell(std::move(cell_)),
      measure(std::move(measure_)) {}

}  // namespace poslab::results
