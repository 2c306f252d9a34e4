// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/attention/softmax.hpp"

namespace poslab::experiments::softmax_resolution {

Row row_of(std::span<const double> logits) {
  const auto [lowest, highest] = std::minmax_element(logits.begin(), logits.end());
  Row row;
  row.range = *highest - *lowest;
  std::vector<double> attention(logits.begin(), logits.end());
  attention::softmax<double>(attention);
  row.least = *std::min_element(attention.begin(), attention.end());
  row.largest = *std::max_element(attention.begin(), attention.end());
  for (std::size_t r = 0; r + 1 < attention.size(); ++r) row.gaps.push_back(std::abs(attention[r] - attention[r + 1]));
  return row;
}

// One key at -delta, the others at delta.
double least_attention(double delta, double keys) { return 1 / (1 + (keys - 1) * std::exp(2 * delta)); }

// One key at delta, the others, of which one is its neighbour, at -delta.
double largest_gap(double delta, double keys) {
  return keys < 2 ? 0 : -std::expm1(-2 * delta) / (1 + (keys - 1) * std::exp(-2 * delta));
}

}  // namespace poslab::experiments::softmax_resolution
