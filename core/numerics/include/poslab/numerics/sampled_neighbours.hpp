// SPDX-License-Identifier: Apache-2.0
// Some rows of a table against all: what can be said of a table that is too long for all pairs.
// Dimension letters: N rows, W columns, M sampled rows.
#pragma once

#include <vector>

#include "poslab/numerics/closest_pair.hpp"

namespace poslab::numerics {

struct SampledNeighbours {
  std::vector<double> distance;    ///< [M], of a sampled row to the nearest other of all rows
  std::vector<double> collisions;  ///< [M], rows within the radius of it, itself not counted
};

/// `sampled` names rows of [N, W], N >= 2. M N W operations, fewer where rows are clearly far from each other.
template <class S>
SampledNeighbours sampled_neighbours(View<const S> rows, const std::vector<Index>& sampled, const Radius& radius);

/// An estimate from a sample without replacement, with its standard error.
struct Estimated {
  double mean = 0;
  double error = 0;  ///< 0 where all were looked at; infinity for one of several
};
/// Estimates the mean of `population` numbers, `values` of which are known.
Estimated estimated_mean(const std::vector<double>& values, double population);

}  // namespace poslab::numerics
