// SPDX-License-Identifier: Apache-2.0
// The points at which gradients are tested.
#pragma once

#include <vector>

#include "calls/make_call.hpp"

namespace poslab::check {

struct Point {
  const char* name;
  WeightScale weights;
  double content;  ///< factor on contents
  double reach;    ///< of positions; 0: consecutive
};
const std::vector<Point>& gradient_points();

Inputs inputs_at(const Instance& instance, const Point& point, int side);

/// The sides on which an operation is called.
std::vector<int> sides_of(Operation operation);

}  // namespace poslab::check
