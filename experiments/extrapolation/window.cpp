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

// Drawers of weights, the largest first: 64 to a factor of two, down to 2^-16 of the largest; the last one takes the rest.
// The leading bits of a double that is not negative, its exponent and 6 bits of its fraction, rise with its value.
constexpr std::size_t drawers = 16 * 64;

std::int64_t leading_bits(double weight) { return std::bit_cast<std::int64_t>(weight) >> 46; }

}  // namespace

base::Index effective_window(std::span<const double> weights, double share) {
  if (weights.empty()) return 0;
  const std::int64_t top = leading_bits(*std::max_element(weights.begin(), weights.end()));
  const auto drawer_of = [&](double weight) {
    return static_cast<std::size_t>(std::min<std::int64_t>(top - leading_bits(weight), drawers - 1));
  };
  std::array<double, drawers> held{};
  std::array<base::Index, drawers> count{};
  for (const double weight : weights) {
    const std::size_t drawer = drawer_of(weight);
    held[drawer] += weight;
    ++count[drawer];
  }
  double needed = share * sum(held) * (1 - slack);
  base::Index counted = 0;
  std::size_t last = 0;  // the drawer that holds the last weight that is needed
  for (; last + 1 < drawers && held[last] < needed; ++last) {
    needed -= held[last];
    counted += count[last];
  }
  std::vector<double> candidates;
  for (const double weight : weights)
    if (drawer_of(weight) == last) candidates.push_back(weight);
  return counted + count_sorted(std::move(candidates), needed);
}

base::Index effective_window_reference(std::span<const double> weights, double share) {
  return count_sorted({weights.begin(), weights.end()}, share * sum(weights) * (1 - slack));
}

}  // namespace poslab::experiments::extrapolation
