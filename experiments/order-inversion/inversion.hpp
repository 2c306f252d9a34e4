// SPDX-License-Identifier: Apache-2.0
// How often the farther of two keys wins.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace poslab::experiments::order_inversion {

/// 1 if a > b, 0 if a < b, 1/2 where they are apart by no more than `slack`: two equal logits that were rounded apart.
inline double wins(double a, double b, double slack) {
  if (a > b + slack) return 1;
  return a < b - slack ? 0 : 0.5;
}

/// Share of the distances beyond `near` whose logit is above that at `near`. `by_distance`: logits at distances 0, 1,
/// ... NaN where there is no distance beyond it.
inline double inversion(std::span<const double> by_distance, std::size_t near, double slack) {
  if (near + 1 >= by_distance.size()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (std::size_t far = near + 1; far < by_distance.size(); ++far)
    sum += wins(by_distance[far], by_distance[near], slack);
  return sum / static_cast<double>(by_distance.size() - near - 1);
}

/// Whether key a and key b change places between distance 0 and `distance`: 1 or 0, 1/2 where they are level at one of
/// the two, 0 where they are at both. NaN where there is no such distance.
inline double flip(std::span<const double> of_a, std::span<const double> of_b, std::size_t distance, double slack) {
  if (distance >= of_a.size()) return std::numeric_limits<double>::quiet_NaN();
  const double here = wins(of_a[0], of_b[0], slack), there = wins(of_a[distance], of_b[distance], slack);
  return std::abs(here - there);
}

}  // namespace poslab::experiments::order_inversion
