// SPDX-License-Identifier: Apache-2.0
// How far apart the rows of a table are: the closest pair, every row's nearest neighbour, and rows that coincide.
// Exact over all pairs; the fast versions rule out nearly all pairs by a bound and check the rest in full.
// Dimension letters: N rows, W columns.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;
using base::View;

/// How near two rows of a table must be to be one: two rows collide if they are no farther apart than the larger of
/// their radii.
class Radius {
 public:
  Radius(double of_all) : of_all_(of_all), largest_(of_all) {}
  /// The same share of each row's own norm, rows [N, W]: one large row says nothing of how near others may be.
  template <class S>
  static Radius share_of_norms(double share, base::View<const S> rows);
  /// That of these rows, in this order, of a table.
  Radius of_rows(const std::vector<base::Index>& rows) const;

  double of(base::Index row) const { return of_row_.empty() ? of_all_ : of_row_[base::at(row)]; }
  double of(base::Index i, base::Index j) const { return std::max(of(i), of(j)); }
  double largest() const { return largest_; }

 private:
  explicit Radius(std::vector<double> of_row);
  double of_all_, largest_;
  std::vector<double> of_row_;  // [N]; empty where all have the same
};

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

/// Some rows of a table, M of them, against all: what can be said of a table that is too long for all pairs.
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
