// SPDX-License-Identifier: Apache-2.0
#include "window.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace poslab::experiments::extrapolation {
namespace {

constexpr double slack = 1e-12;

double sum(std::span<const double> weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

// Largest first, until they hold `needed`.
base::Index count_sorted(std::vector<double> weights, double needed) {
  std::sort(weights.begin(), weights.end(), std::greater<>());
  base::Index count = 0;
  double held = 0;
  while (held < needed && count < static_cast<base::Index>(weights.size()))
    held += weights[static_cast<std::size_t>(count++)];
  return count;
}

// Bins of weights, those of the largest first: 64 to a factor of two, down to 2^-16 of the largest; the last one takes
// the rest.
constexpr std::size_t bins = 16 * 64;

// The leading bits of a double that is not negative, its exponent and 6 bits of its fraction, rise with its value.
std::int64_t leading_bits(double weight) { return std::bit_cast<std::int64_t>(weight) >> 46; }

}  // namespace

base::Index effective_window(std::span<const double> weights, double share) {
  if (weights.empty()) return 0;
  const std::int64_t top = leading_bits(*std::max_element(weights.begin(), weights.end()));
  const auto bin_of = [&](double weight) {
    return static_cast<std::size_t>(std::min<std::int64_t>(top - leading_bits(weight), bins - 1));
  };
  std::array<double, bins> held{};
  std::array<base::Index, bins> count{};
  for (const double weight : weights) {
    const std::size_t bin = bin_of(weight);
    held[bin] += weight;
    ++count[bin];
  }
  double needed = share * sum(held) * (1 - slack);
  base::Index counted = 0;
  std::size_t last = 0;  // the bin that holds the last weight that is needed
  for (; last + 1 < bins && held[last] < needed; ++last) {
    needed -= held[last];
    counted += count[last];
  }
  std::vector<double> candidates;
  for (const double weight : weights)
    if (bin_of(weight) == last) candidates.push_back(weight);
  return counted + count_sorted(std::move(candidates), needed);
}

}  // namespace poslab::experiments::extrapolation
