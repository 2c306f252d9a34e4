// SPDX-License-Identifier: Apache-2.0
// The part of a row that one cell has: its indices along each dimension, and the smallest box that holds them.
#pragma once

#include <vector>

#include "h5/dataset.hpp"

namespace poslab::results {

/// Per dimension (without `cell`): at which indices the cell's coordinates lie, increasing.
using Indices = std::vector<std::vector<std::size_t>>;

struct Box {
  h5::Shape start, extent;
};

/// Precondition: every dimension has an index.
Box box_around(const Indices& indices);
/// The box within row `row` of a dataset whose first axis is `cell`.
Box in_row(std::size_t row, const Box& box);
/// The values at their indices in the box, row-major; NaN between them.
std::vector<double> spread(const std::vector<double>& values, const Indices& indices, const Box& box);
/// The reverse: the values of a box at these indices.
std::vector<double> gather(const std::vector<double>& block, const Indices& indices, const Box& box);

}  // namespace poslab::results
