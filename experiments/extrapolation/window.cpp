// SPDX-License-Identifier: Apache-2.0
#include "window.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace poslab::experiments::extrapolation {
namespace {

constexpr double slack = 1e-12;

double sum(std::span<const double> weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

// Largest first; stops as soon as they hold `needed`.
base::Index count_sorted(std::span<double> weights, double needed) {
  std::sort(weights.begin(), weights.end(), std::greater<>());
  double held = 0;
  base::Index count = 0;
  for (const double weight : weights) {
    if (held >= needed) break;
    held += weight;
    ++count;
  }
  return count;
}

double middle_of_three(double a, double b, double c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

}  // namespace

// Quickselect by mass: the weights above a pivot either hold what is needed, and the rest is out, or they all count, and
// what they lack is sought in the rest.
base::Index effective_window(std::span<double> weights, double share) {
  double needed = share * sum(weights) * (1 - slack);
  base::Index counted = 0;
  while (weights.size() > 32) {
    const double pivot = middle_of_three(weights.front(), weights[weights.size() / 2], weights.back());
    const auto rest = std::partition(weights.begin(), weights.end(), [&](double weight) { return weight > pivot; });
    std::span<double> above(weights.begin(), rest), others(rest, weights.end());
    if (const double held = sum(above); held >= needed) {
      weights = above;
      continue;
    } else {
      needed -= held;
      counted += static_cast<base::Index>(above.size());
    }
    // Of the others the pivot is the largest: those equal to it come next, one by one.
    const auto smaller = std::partition(others.begin(), others.end(), [&](double weight) { return weight == pivot; });
    const auto equal = static_cast<base::Index>(smaller - others.begin());
    base::Index taken = 0;
    for (; taken < equal && needed > 0; ++taken) needed -= pivot;
    counted += taken;
    if (needed <= 0) return counted;
    weights = std::span<double>(smaller, others.end());
  }
  return counted + count_sorted(weights, needed);
}

base::Index effective_window_reference(std::span<double> weights, double share) {
  return count_sorted(weights, share * sum(weights) * (1 - slack));
}

}  // namespace poslab::experiments::extrapolation
