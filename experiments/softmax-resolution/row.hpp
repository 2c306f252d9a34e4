// SPDX-License-Identifier: Apache-2.0
// What a row of logits becomes: attention, and how far apart neighbours in it are.
#pragma once

#include <span>
#include <vector>

namespace poslab::experiments::softmax_resolution {

/// What a softmax over `logits` gives, in order of distance.
struct Row {
  std::vector<double> gaps;       ///< |a(r) - a(r + 1)|
  double least = 0, largest = 0;  ///< attention
  double range = 0;               ///< greatest less least logit
};
Row row_of(std::span<const double> logits);

/// Tight bounds for logits that all lie between -delta and delta: no attention is below the first, no two are farther
/// apart than the second.
double least_attention(double delta, double keys);
double largest_gap(double delta, double keys);

}  // namespace poslab::experiments::softmax_resolution
