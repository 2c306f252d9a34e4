// SPDX-License-Identifier: Apache-2.0
// What searches for near rows have in common: the distance that ends early, the candidates that may still be the
// nearest, and rows that coincide, in sets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/numerics/closest_pair.hpp"

namespace poslab::numerics {

using base::Index;

// Eight running sums, so that additions overlap, folded as a tree. (Plain arrays: GCC 12 keeps them in registers, and
// vectors of 64 bytes not.)
class SumsOfSquares {
 public:
  static constexpr Index lanes = 8;

  template <class S>
  void add(const S* x, const S* y, Index count = lanes) {
    for (Index lane = 0; lane < count; ++lane) {
      const double difference = static_cast<double>(x[lane]) - static_cast<double>(y[lane]);
      sums_[lane] += difference * difference;
    }
  }
  double fold() const {
    return ((sums_[0] + sums_[4]) + (sums_[1] + sums_[5])) + ((sums_[2] + sums_[6]) + (sums_[3] + sums_[7]));
  }

 private:
  double sums_[lanes] = {};
};

/// The squared distance of x and y [W] if it is at most `limit`; otherwise some number above `limit` and not above the
/// squared distance. (Squares only add, and rounding keeps order: a partial sum is never above the whole.)
template <class S>
inline double squared_distance_below(const S* x, const S* y, Index width, double limit) {
  constexpr Index lanes = SumsOfSquares::lanes, between_looks = 8 * lanes;
  SumsOfSquares sums;
  Index i = 0;
  for (; i + between_looks <= width; i += between_looks) {
    for (Index k = i; k < i + between_looks; k += lanes) sums.add(x + k, y + k);
    if (const double partial = sums.fold(); partial > limit) return partial;
  }
  for (; i + lanes <= width; i += lanes) sums.add(x + i, y + i);
  if (i < width) sums.add(x + i, y + i, width - i);
  return sums.fold();
}

// The smallest distance seen so far and, among ties, the smallest index: the same answer in whatever order they come.

/// Squared distances this much above the smallest, relatively, are still ties: (1 + tie_tolerance)^2.
inline constexpr double tie_band = (1 + tie_tolerance) * (1 + tie_tolerance);

/// A tie is only known once the smallest distance is. So all that may still win are stored: those within the band of
/// the smallest so far that no other beats in both distance and index. That set does not depend on the order of
/// insertion, and nearly always has one member.
class Candidates {
 public:
  struct Candidate {
    double squared_distance;
    std::int64_t index;
  };

  void insert(double squared_distance, std::int64_t index) {
    for (const Candidate& candidate : candidates_)
      if (candidate.squared_distance <= squared_distance && candidate.index <= index) return;
    if (squared_distance > smallest() * tie_band) return;
    candidates_.push_back({squared_distance, index});
    const double highest = smallest() * tie_band;
    const auto is_beaten = [&](const Candidate& candidate) {
      return candidate.squared_distance > highest ||
             (candidate.squared_distance >= squared_distance && candidate.index > index);
    };
    candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), is_beaten), candidates_.end());
  }

  double smallest() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates_) least = std::min(least, candidate.squared_distance);
    return least;
  }

  /// The smallest index whose squared distance is at most `highest`; -1 if there is none.
  std::int64_t smallest_index(double highest) const {
    std::int64_t index = -1;
    for (const Candidate& candidate : candidates_)
      if (candidate.squared_distance <= highest && (index < 0 || candidate.index < index)) index = candidate.index;
    return index;
  }
  std::int64_t smallest_index() const { return smallest_index(smallest() * tie_band); }

 private:
  std::vector<Candidate> candidates_;
};

// Connected components by union and find (Tarjan 1975), with path halving.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t members) : parent_(members), sets_(static_cast<std::int64_t>(members)) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  void join(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parent_[b < a ? a : b] = b < a ? b : a;
    --sets_;
  }

  std::int64_t sets() const { return sets_; }

 private:
  std::size_t root(std::size_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }

  std::vector<std::size_t> parent_;
  std::int64_t sets_;
};

}  // namespace poslab::numerics
