// SPDX-License-Identifier: Apache-2.0
// Distances of rows by their definitions: two plain loops.
#include <cmath>
#include <limits>

#include "disjoint_sets.hpp"
#include "poslab/numerics/closest_pair.hpp"

namespace poslab::numerics::reference {
namespace {

template <class S>
double distance(View<const S> rows, Index i, Index j) {
  return std::sqrt(squared_distance(rows.data + i * rows.stride(), rows.data + j * rows.stride(), rows.stride()));
}

}  // namespace

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
  DisjointSets components(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) {
    double smallest = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < N; ++j) {
      if (j == i) continue;
      const double d = distance(rows, i, j);
      smallest = std::min(smallest, d);
      if (j > i && d <= radius.of(i, j)) {
        out.collisions += 1;
        components.join(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      }
    }
    Index nearest = -1;
    for (Index j = 0; j < N && nearest < 0; ++j)
      if (j != i && distance(rows, i, j) <= smallest * (1 + tie_tolerance)) nearest = j;
    out.distance.push_back(N > 1 ? smallest : std::numeric_limits<double>::quiet_NaN());
    out.nearest.push_back(nearest);
  }
  out.closest = reference::closest_pair(rows);
  out.distinct = components.sets();
  return out;
}

template std::optional<ClosestPair> closest_pair(View<const double>);
template std::optional<ClosestPair> closest_pair(View<const float>);
template Neighbours nearest_neighbours(View<const double>, const Radius&);
template Neighbours nearest_neighbours(View<const float>, const Radius&);

}  // namespace poslab::numerics::reference
