// SPDX-License-Identifier: Apache-2.0
#include "parts/counts.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

namespace poslab::tasks {
using base::at;
namespace {

// Whole exponents: std::pow of a complex number goes by logarithms.
std::complex<double> power(std::complex<double> base, Index exponent) {
  std::complex<double> product = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) product *= base;
  return product;
}

// e^(2 pi i k / points)
std::vector<std::complex<double>> roots_of_unity(Index points) {
  std::vector<std::complex<double>> roots(static_cast<std::size_t>(points));
  for (Index k = 0; k < points; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(points);
    roots[at(k)] = {std::cos(angle), std::sin(angle)};
  }
  return roots;
}

// Poisson with mean n/V, up to n, times a constant; in steps from the most likely count, so that nothing overflows.
std::vector<double> poisson_weights(Index n, Index V) {
  const double mean = static_cast<double>(n) / static_cast<double>(V);
  std::vector<double> weights(static_cast<std::size_t>(n) + 1, 0.0);
  const auto peak = static_cast<std::size_t>(mean);
  weights[peak] = 1;
  for (std::size_t j = peak; j > 0; --j) weights[j - 1] = weights[j] * static_cast<double>(j) / mean;
  for (std::size_t j = peak + 1; j < weights.size(); ++j) weights[j] = weights[j - 1] * mean / static_cast<double>(j);
  return weights;
}

}  // namespace

double entropy(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  double nats = 0;
  for (const double weight : weights)
    if (weight > 0) nats -= weight / sum * std::log(weight / sum);
  return nats;
}

// The counts of n tokens are V independent Poisson numbers, given that these sum to n. So P(largest <= c) is the
// coefficient of z^n in (sum_{j<=c} w_j z^j)^V, over the same with all j. A coefficient is the mean over roots of unity
// z of the value times z^-n; so many roots leave out sums that are n +- 24 sqrt(n) and further, which do not occur.
double expected_largest_count(Index n, Index V) {
  const std::vector<double> weights = poisson_weights(n, V);
  const Index points = 24 * static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(n)))) + 64;
  const std::vector<std::complex<double>> roots = roots_of_unity(points);
  std::vector<std::complex<double>> sums(roots.size(), 0.0);
  std::vector<double> up_to;  // [c]: proportional to P(largest <= c)
  for (Index c = 0; c <= n; ++c) {
    const double weight = weights[at(c)];
    if (c > n / V && weight < 1e-25) break;
    double coefficient = 0;
    for (Index k = 0; k < points; ++k) {
      std::complex<double>& sum = sums[at(k)];
      sum += weight * roots[at(c * k % points)];
      const Index rotated = (points - n * k % points) % points;
      coefficient += (power(sum, V) * roots[at(rotated)]).real();
    }
    up_to.push_back(coefficient);
  }
  double expected = 0;
  for (const double coefficient : up_to) expected += 1 - coefficient / up_to.back();
  return expected;
}

double unequal_bits_accuracy(Index n) {
  if (n == 1) return 1;
  const double pairs = static_cast<double>(n) * static_cast<double>(n - 1);
  double sum = 0, weights = 0, weight = 1;  // of k ones: proportional to the binomial, from the middle outwards
  for (Index k = n / 2; k >= 0; --k) {
    const double p = 2 * static_cast<double>(k) * static_cast<double>(n - k) / pairs;
    const double both = 2 * k == n ? 1 : 2;  // k and n - k ones are the same to it
    sum += both * weight * std::max(p, 1 - p);
    weights += both * weight;
    weight *= static_cast<double>(k) / static_cast<double>(n - k + 1);
  }
  return sum / weights;
}

Bounds certain(double chance_accuracy, double chance_loss, double unordered_accuracy) {
  Bounds bounds;
  bounds.chance_accuracy = chance_accuracy;
  bounds.chance_loss = chance_loss;
  bounds.best_loss = 0;
  bounds.best_accuracy = 1;
  bounds.unordered_accuracy = unordered_accuracy;
  return bounds;
}

Bounds certain(std::span<const double> asked) {
  const double all = std::accumulate(asked.begin(), asked.end(), 0.0);
  return certain(*std::max_element(asked.begin(), asked.end()) / all, entropy(asked));
}

Bounds tokens_and_end(Index count, Index V) {
  const double n = static_cast<double>(count), vocabulary = static_cast<double>(V);
  const double which = n / (n + 1) * std::log(vocabulary);
  const double ends[] = {n, 1};
  return certain(std::max(1.0, n / vocabulary) / (n + 1), which + entropy(ends));
}

}  // namespace poslab::tasks
