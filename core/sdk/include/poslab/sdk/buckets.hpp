// SPDX-License-Identifier: Apache-2.0
// T5's buckets of offsets: near distances have their own, far ones share logarithmically wider ones. Not part of
// <poslab/scheme.hpp>: #include <poslab/sdk/buckets.hpp>.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "poslab/sdk/failure.hpp"

namespace poslab {

class Buckets {
 public:
  Buckets() = default;
  /// `id` is the scheme that asks, for its refusals.
  Buckets(const char* id, int buckets, int max_distance, bool bidirectional)
      : per_side_(bidirectional ? buckets / 2 : buckets), max_distance_(max_distance), bidirectional_(bidirectional) {
    require(!bidirectional || (buckets % 2 == 0 && buckets >= 4), id,
            ": bidirectional needs an even number of buckets, at least 4, not ", buckets);
    const int exact = per_side_ / 2;
    require(max_distance > exact, id, ": max_distance must be greater than ", exact,
            ", the distances with a bucket of their own, not ", max_distance);
    // In float32 as published: float64 gives other buckets at a few distances that lie exactly on a border.
    const float range = static_cast<float>(std::log(static_cast<double>(max_distance) / exact));
    for (int n = 0; n <= max_distance; ++n) {
      const float logarithm =
          static_cast<float>(std::log(static_cast<double>(static_cast<float>(n) / static_cast<float>(exact))));
      const int far = n < exact ? 0 : static_cast<int>(logarithm / range * static_cast<float>(per_side_ - exact));
      of_distance_.push_back(n < exact ? n : std::min(per_side_ - 1, exact + far));
    }
  }

  /// offset = key - query. Causal buckets hold distances into the past; bidirectional ones have a second half for keys
  /// ahead.
  int operator()(double offset) const {
    const double distance = bidirectional_ ? std::abs(offset) : std::max(-offset, 0.0);
    const auto n = static_cast<std::size_t>(std::min(distance, static_cast<double>(max_distance_)));
    return of_distance_[n] + (bidirectional_ && offset > 0 ? per_side_ : 0);
  }

 private:
  int per_side_ = 0, max_distance_ = 0;
  bool bidirectional_ = false;
  std::vector<int> of_distance_;  // for distances 0 .. max_distance
};

}  // namespace poslab
