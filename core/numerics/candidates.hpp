// SPDX-License-Identifier: Apache-2.0
// The smallest distance seen so far and, among ties, the smallest index: the same answer in whatever order they come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "poslab/numerics/closest_pair.hpp"

namespace poslab::numerics {

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

}  // namespace poslab::numerics
