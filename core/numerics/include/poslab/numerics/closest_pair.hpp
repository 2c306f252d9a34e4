// SPDX-License-Identifier: Apache-2.0
// How far apart the rows of a table are: the closest pair, every row's nearest neighbour, and rows that coincide.
// Exact over all pairs; the fast versions rule out nearly all pairs by a bound and check the rest in full.
// Dimension letters: N rows, W columns.
#pragma once

#include <optional>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/numerics/radius.hpp"

namespace poslab::numerics {

using base::Index;
using base::View;

/// Distances within this relative distance of each other are a tie, and the smallest row, or pair, wins.
inline constexpr double tie_tolerance = 1e-12;

/// sum of (x - y)^2 over W columns, in double and always in the same order: the same bits wherever it is used.
/// S is double or float. Entries whose squares overflow give infinity, those whose squares vanish give 0.
template <class S>
double squared_distance(const S* x, const S* y, Index width);

struct ClosestPair {
  double distance = 0;          ///< Euclidean, the smallest of all pairs
  Index first = 0, second = 0;  ///< rows, first < second; the lexicographically smallest pair within `tie_tolerance`
  bool operator==(const ClosestPair&) const = default;
};

/// The closest two of the rows [N, W]; empty when N < 2. Rows must be finite.
template <class S>
std::optional<ClosestPair> closest_pair(View<const S> rows);

/// What all pairs of rows say of each row.
struct Neighbours {
  std::vector<double> distance;        ///< [N], to the nearest other row; NaN when N = 1
  std::vector<Index> nearest;          ///< [N], that row, the smallest within `tie_tolerance`; -1 when N = 1
  std::optional<ClosestPair> closest;  ///< empty when N < 2
  double collisions =
      0;               ///< pairs whose distance is within the radius; a double, as N^2 / 2 of them is no reason to stop
  Index distinct = 0;  ///< connected components of that relation
};

/// Rows [N, W] must be finite. With a radius of 0, rows collide if they are equal.
template <class S>
Neighbours nearest_neighbours(View<const S> rows, const Radius& radius);

/// The definitions as plain loops, O(N^2 W): what the fast versions are tested against.
namespace reference {
template <class S>
std::optional<ClosestPair> closest_pair(View<const S> rows);
template <class S>
Neighbours nearest_neighbours(View<const S> rows, const Radius& radius);
}  // namespace reference

}  // namespace poslab::numerics
