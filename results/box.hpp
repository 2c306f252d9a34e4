// SPDX-License-Identifier: Apache-2.0
// The part of a row that one cell has: its places along each dimension, and the smallest box that holds them.
#pragma once

#include <vector>

#include "data.hpp"

namespace poslab::results {

/// Per dimension (without `cell`): at which indices the cell's coordinates lie, increasing.
using Places = std::vector<std::vector<std::size_t>>;

struct Box {
  h5::Shape start, extent;
};

/// Precondition: no dimension is without places.
Box box_around(const Places& places);
/// The box within row `row` of a dataset whose first axis is `cell`.
Box in_row(std::size_t row, const Box& box);
/// Values at their places in the box, row-major; NaN between them.
std::vector<double> spread(const std::vector<double>& values, const Places& places, const Box& box);
/// The reverse: the values at the places of a box.
std::vector<double> gather(const std::vector<double>& block, const Places& places, const Box& box);

}  // namespace poslab::results
