// SPDX-License-Identifier: Apache-2.0
// Nearest neighbours of rows that rotate: distances of offsets say which offsets can matter; these are measured in
// full. Dimension letters: N rows, W columns, K offsets that remain.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "neighbours.hpp"
#include "poslab/numerics/rotation.hpp"

namespace poslab::numerics {
using base::at;
namespace {

// Offsets that may be those of some row's nearest, or of two rows within the radius: nearest first.
std::vector<Index> offsets_that_matter(const Rotation& rotation, double radius) {
  // A row has neighbours at all offsets up to N / 2 or more, and at those beyond as far as the longer side goes. Ties
  // and the rounding of sums are far below the relative slack.
  constexpr double slack = 1 + 1e-11;
  const Index N = static_cast<Index>(rotation.distance.size());
  const std::vector<double>& distance = rotation.distance;
  double nearest = std::numeric_limits<double>::infinity();
  for (Index r = 1; r <= N / 2; ++r) nearest = std::min(nearest, distance[at(r)]);
  const double colliding = radius * slack + 2 * rotation.deviation;
  std::vector<Index> offsets;
  for (Index r = 1; r < N; ++r) {
    const double here = distance[at(r)];
    nearest = std::min(nearest, here);
    if (here <= nearest * slack + 4 * rotation.deviation || here <= colliding) offsets.push_back(r);
    if (static_cast<Index>(offsets.size()) > max_offsets) break;
  }
  std::stable_sort(offsets.begin(), offsets.end(), [&](Index a, Index b) { return distance[at(a)] < distance[at(b)]; });
  return offsets;
}

struct Neighbour {
  Index row;
  double squared_distance;
};

template <class S>
class OffsetSearch {
 public:
  OffsetSearch(View<const S> rows, double largest_radius, std::vector<Index> offsets)
      : rows_(rows), radius_(largest_radius), offsets_(std::move(offsets)) {}

  // Every neighbour of the row at one of the offsets, with its squared distance; those that are neither nearest nor
  // within the radius may have another number, above both.
  double look_around(Index row, std::vector<Neighbour>& around) const {
    const Index N = rows_.shape[0];
    double nearest = std::numeric_limits<double>::infinity();
    around.clear();
    for (const Index r : offsets_)
      for (const Index other : {row - r, row + r}) {
        if (other < 0 || other >= N) continue;
        const double limit = std::max(nearest * tie_band, radius_ * radius_ * tie_band);
        const double squared = squared_distance_below(at(row), at(other), rows_.stride(), limit);
        nearest = std::min(nearest, squared);
        around.push_back({other, squared});
      }
    return nearest;
  }

 private:
  const S* at(Index row) const { return rows_.data + row * rows_.stride(); }
  View<const S> rows_;
  double radius_;
  std::vector<Index> offsets_;
};

// The smallest row among those whose squared distance is at most `highest`; -1 if there is none.
Index smallest_within(const std::vector<Neighbour>& around, double highest) {
  Index smallest = -1;
  for (const Neighbour& neighbour : around)
    if (neighbour.squared_distance <= highest && (smallest < 0 || neighbour.row < smallest)) smallest = neighbour.row;
  return smallest;
}

}  // namespace

template <class S>
std::optional<Neighbours> neighbours_by_offset(View<const S> rows, const Radius& radius, const Rotation& rotation) {
  const Index N = rows.shape[0];
  std::vector<Index> offsets = offsets_that_matter(rotation, radius.largest());
  if (N < 2 || static_cast<Index>(offsets.size()) > max_offsets) return {};
  const OffsetSearch<S> search(rows, radius.largest(), std::move(offsets));
  Neighbours found;
  found.distance.resize(static_cast<std::size_t>(N));
  found.nearest.resize(static_cast<std::size_t>(N));
  std::vector<double> squared(static_cast<std::size_t>(N));
  DisjointSets components(static_cast<std::size_t>(N));
  tbb::spin_mutex mutex;
  tbb::parallel_for(tbb::blocked_range<Index>(0, N, 256), [&](const tbb::blocked_range<Index>& range) {
    std::vector<Neighbour> around;
    for (Index row = range.begin(); row < range.end(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      squared[at] = search.look_around(row, around);
      found.distance[at] = std::sqrt(squared[at]);
      found.nearest[at] = smallest_within(around, squared[at] * tie_band);
      for (const Neighbour& neighbour : around)
        if (neighbour.row > row && std::sqrt(neighbour.squared_distance) <= radius.of(row, neighbour.row)) {
          const std::scoped_lock lock(mutex);
          found.collisions += 1;  // whole numbers: exact in any order
          components.join(at, static_cast<std::size_t>(neighbour.row));
        }
    }
  });
  const double smallest = *std::min_element(squared.begin(), squared.end()), highest = smallest * tie_band;
  for (Index row = 0; row < N && !found.closest; ++row) {
    if (squared[at(row)] > highest) continue;
    std::vector<Neighbour> around;  // of the first row that has a neighbour so near: all of them come later
    search.look_around(row, around);
    found.closest = ClosestPair{std::sqrt(smallest), row, smallest_within(around, highest)};
  }
  found.distinct = components.sets();
  return found;
}

template <class S>
Neighbours nearest_neighbours(View<const S> rows, const Radius& radius, const RotationClaim& claim) {
  if (const std::optional<Rotation> rotation = certify(rows, claim))
    if (std::optional<Neighbours> found = neighbours_by_offset(rows, radius, *rotation)) return std::move(*found);
  return nearest_neighbours(rows, radius);
}

#define POSLAB_FOR(S)                                                                                     \
  template std::optional<Neighbours> neighbours_by_offset(View<const S>, const Radius&, const Rotation&); \
  template Neighbours nearest_neighbours(View<const S>, const Radius&, const RotationClaim&);
POSLAB_FOR(double)
POSLAB_FOR(float)
#undef POSLAB_FOR

}  // namespace poslab::numerics
