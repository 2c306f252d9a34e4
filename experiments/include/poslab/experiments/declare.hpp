// SPDX-License-Identifier: Apache-2.0
// Words for declaring axes and measures, and the axes that several experiments share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "poslab/base/catalogue.hpp"

namespace poslab::experiments {

/// An integer axis from `lowest` on: one cell a value.
inline base::AxisInfo integer_axis(std::string name, std::int64_t default_value, double lowest, std::string unit,
                                   std::string sentence) {
  base::AxisInfo axis;
  axis.name = std::move(name);
  axis.kind = base::Kind::integer;
  axis.unit = std::move(unit);
  axis.sentence = std::move(sentence);
  axis.default_value = default_value;
  axis.range.lowest = lowest;
  return axis;
}

/// A choice: one cell a value.
inline base::AxisInfo choice_axis(std::string name, std::vector<std::string> choices, std::string sentence) {
  base::AxisInfo axis;
  axis.name = std::move(name);
  axis.kind = base::Kind::choice;
  axis.sentence = std::move(sentence);
  axis.default_value = choices.front();
  axis.choices = std::move(choices);
  return axis;
}

/// A list that is handed to one cell and becomes a dimension of its curves.
inline base::AxisInfo inner_axis(std::string name, std::vector<double> default_values, double lowest, std::string unit,
                                 std::string sentence) {
  base::AxisInfo axis;
  axis.name = std::move(name);
  axis.kind = base::Kind::list;
  axis.unit = std::move(unit);
  axis.sentence = std::move(sentence);
  axis.default_value = std::move(default_values);
  axis.range.lowest = lowest;
  axis.inner = true;
  return axis;
}

inline base::AxisInfo length_axis(std::int64_t default_value = 512) {
  return integer_axis("length", default_value, 1, "position", "N: how many positions the sequence has, 0 to N - 1");
}

inline base::AxisInfo dtype_axis() {
  return choice_axis(
      "dtype", {"float64", "float32"},
      "the scalar type in which the scheme works; what is measured of its numbers is worked out in double where "
      "the experiment's page does not say otherwise");
}

inline base::AxisInfo contents_axis() {
  return integer_axis("contents", 16, 1, "1", "how many random contents are drawn in each repeat");
}

inline base::Tolerance exact() { return {}; }
inline base::Tolerance absolute(double tolerance) { return {tolerance, 0, 0, 0, false}; }
inline base::Tolerance relative(double tolerance) { return {0, tolerance, 0, 0, false}; }
inline base::Tolerance statistical() { return {0, 0, 0, 0, true}; }

}  // namespace poslab::experiments
