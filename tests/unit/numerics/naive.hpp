// SPDX-License-Identifier: Apache-2.0
// Distances of rows and spreads of diagonals by their definitions: plain loops, O(N^2 W).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "neighbours.hpp"
#include "poslab/numerics/closest_pair.hpp"
#include "poslab/numerics/diagonal_spread.hpp"

namespace naive {

using namespace poslab::numerics;

template <class S>
double distance(View<const S> rows, Index i, Index j) {
  return std::sqrt(squared_distance(rows.data + i * rows.stride(), rows.data + j * rows.stride(), rows.stride()));
}

template <class S>
std::optional<ClosestPair> closest_pair(View<const S> rows) {
  const Index N = rows.shape[0];
  if (N < 2) return {};
  double smallest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < N; ++i)
    for (Index j = i + 1; j < N; ++j) smallest = std::min(smallest, distance(rows, i, j));
  for (Index i = 0; i < N; ++i)
    for (Index j = i + 1; j < N; ++j)
      if (distance(rows, i, j) <= smallest * (1 + tie_tolerance)) return ClosestPair{smallest, i, j};
  return {};
}

template <class S>
Neighbours nearest_neighbours(View<const S> rows, const Radius& radius) {
  const Index N = rows.shape[0];
  Neighbours out;
  DisjointSets components(poslab::base::at(N));
  for (Index i = 0; i < N; ++i) {
    double smallest = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < N; ++j) {
      if (j == i) continue;
      const double d = distance(rows, i, j);
      smallest = std::min(smallest, d);
      if (j > i && d <= radius.of(i, j)) {
        out.collisions += 1;
        components.join(poslab::base::at(i), poslab::base::at(j));
      }
    }
    Index nearest = -1;
    for (Index j = 0; j < N && nearest < 0; ++j)
      if (j != i && distance(rows, i, j) <= smallest * (1 + tie_tolerance)) nearest = j;
    out.distance.push_back(N > 1 ? smallest : std::numeric_limits<double>::quiet_NaN());
    out.nearest.push_back(nearest);
  }
  out.closest = naive::closest_pair(rows);
  out.distinct = components.sets();
  return out;
}

template <class S>
DiagonalSpread diagonal_spread(View<const S> left, View<const S> right, Pairs pairs = Pairs::all) {
  const Index H = left.shape[0], N = left.shape[1], W = left.shape[2];
  DiagonalSpread out;
  double count = 0;
  for (Index offset = 1 - N; offset < N; ++offset) {
    double largest = 0;
    for (Index h = 0; h < H && (pairs == Pairs::all || offset >= 0); ++h) {
      S lowest = std::numeric_limits<S>::infinity(), highest = -lowest;
      for (Index m = std::max<Index>(0, offset); m < std::min(N, N + offset); ++m) {
        S score = 0;
        for (Index k = 0; k < W; ++k) score += left(h, m, k) * right(h, m - offset, k);
        lowest = std::min(lowest, score);
        highest = std::max(highest, score);
        out.mean_square += static_cast<double>(score) * static_cast<double>(score);
        count += 1;
      }
      largest = std::max(largest, static_cast<double>(highest) - static_cast<double>(lowest));
    }
    out.spread.push_back(largest);
  }
  if (count > 0) out.mean_square /= count;
  return out;
}

}  // namespace naive
