// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/closest_pair.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "neighbours.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::numerics {
using base::at;

template <class S>
SampledNeighbours sampled_neighbours(View<const S> rows, const std::vector<Index>& sampled, const Radius& radius) {
  constexpr Index at_once = 64;  // rows that stay in the cache while a sampled row passes over them
  const Index N = rows.shape[0], W = rows.stride(), M = static_cast<Index>(sampled.size());
  SampledNeighbours found{std::vector<double>(sampled.size()), std::vector<double>(sampled.size(), 0.0)};
  tbb::parallel_for(tbb::blocked_range<Index>(0, M, 16), [&](const tbb::blocked_range<Index>& range) {
    std::vector<double> nearest(static_cast<std::size_t>(range.size()), std::numeric_limits<double>::infinity());
    for (Index first = 0; first < N; first += at_once)
      for (Index i = range.begin(); i < range.end(); ++i) {
        const Index row = sampled[at(i)];
        double& least = nearest[at(i - range.begin())];
        for (Index other = first; other < std::min(N, first + at_once); ++other) {
          if (other == row) continue;
          const double within = radius.of(row, other);
          const double limit =
              std::max(least, within * within * tie_band);  // the band leaves room for the rounded root
          const double squared = squared_distance_below(rows.data + row * W, rows.data + other * W, W, limit);
          if (squared > limit) continue;
          least = std::min(least, squared);
          found.collisions[at(i)] += std::sqrt(squared) <= within;
        }
      }
    for (Index i = range.begin(); i < range.end(); ++i)
      found.distance[at(i)] = std::sqrt(nearest[at(i - range.begin())]);
  });
  return found;
}

Estimated estimated_mean(const std::vector<double>& values, double population) {
  Moments moments;
  for (const double value : values) moments.add(value);
  const double n = moments.count();
  if (n >= population) return {moments.mean(), 0};
  if (n < 2) return {moments.mean(), std::numeric_limits<double>::infinity()};
  const double variance = moments.variance() * n / (n - 1);
  return {moments.mean(), std::sqrt(variance / n * (1 - n / population))};
}

template SampledNeighbours sampled_neighbours(View<const double>, const std::vector<Index>&, const Radius&);
template SampledNeighbours sampled_neighbours(View<const float>, const std::vector<Index>&, const Radius&);

}  // namespace poslab::numerics
