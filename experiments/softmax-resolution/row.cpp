// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/attention/softmax.hpp"
#include "poslab/base/array.hpp"

namespace poslab::experiments::softmax_resolution {

Row row_of(std::span<const double> logits) {
  const auto [lowest, highest] = std::minmax_element(logits.begin(), logits.end());
  Row row;
  row.range = *highest - *lowest;
  // In aligned memory: where a row begins decides which of its entries the softmax takes together.
  base::Array<double> attention{static_cast<base::Index>(logits.size())};
  std::copy(logits.begin(), logits.end(), attention.data());
  attention::softmax<double>(attention.flat());
  row.least = *std::min_element(attention.flat().begin(), attention.flat().end());
  row.largest = *std::max_element(attention.flat().begin(), attention.flat().end());
  for (base::Index r = 0; r + 1 < attention.size(); ++r) row.gaps.push_back(std::abs(attention(r) - attention(r + 1)));
  return row;
}

// One key at -delta, the others at delta.
double least_attention(double delta, double keys) { return 1 / (1 + (keys - 1) * std::exp(2 * delta)); }

// One key at delta, the others, of which one is its neighbour, at -delta.
double largest_gap(double delta, double keys) {
  return keys < 2 ? 0 : -std::expm1(-2 * delta) / (1 + (keys - 1) * std::exp(-2 * delta));
}

}  // namespace poslab::experiments::softmax_resolution
