// SPDX-License-Identifier: Apache-2.0
// How an experiment declares its axes and tolerances, and the axes that several experiments share.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"

namespace poslab::experiments {

/// An axis by the names of its properties. Its kind is the type of its default value; with choices, it is a choice
/// whose default is the first of them. A list is an inner axis: one cell takes all of it, as a dimension of its curves.
struct Axis {
  std::string name;
  data::Value default_value = {};
  std::vector<std::string> choices = {};
  data::Range range = {};
  std::string unit = "1";
  std::string sentence;

  operator data::AxisInfo() const;
};

inline constexpr data::Range from_one{.lowest = 1};

Axis length_axis(std::int64_t default_value = 512);
Axis dtype_axis();
Axis contents_axis();
/// Of experiments that train: whether the record keeps the weights (data::Record::keep), those of the scheme under
/// `scheme/<weight>`, or `scheme/<weight>/<layer>` where each layer has its own.
Axis keep_weights_axis();

/// Of the same numbers on every machine.
constexpr data::Tolerance exact() { return {}; }
constexpr data::Tolerance absolute(double tolerance) { return {.absolute = tolerance}; }
constexpr data::Tolerance relative(double tolerance) { return {.relative = tolerance}; }
constexpr data::Tolerance statistical() { return {.statistical = true}; }

}  // namespace poslab::experiments
