// SPDX-License-Identifier: Apache-2.0
#include "shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace poslab::experiments::distance_profile {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double fall(const std::vector<double>& curve) {
  if (curve.size() < 2) return undefined;
  const auto half = curve.begin() + static_cast<std::ptrdiff_t>((curve.size() + 1) / 2);
  return curve.front() - std::accumulate(half, curve.end(), 0.0) / static_cast<double>(curve.end() - half);
}

double monotonicity(const std::vector<double>& curve, double slack) {
  if (curve.size() < 2) return undefined;
  std::size_t kept = 0;
  for (std::size_t r = 0; r + 1 < curve.size(); ++r) kept += curve[r + 1] - curve[r] <= slack ? 1 : 0;
  return static_cast<double>(kept) / static_cast<double>(curve.size() - 1);
}

double decay_length(const std::vector<double>& curve, double slack) {
  std::size_t least = curve.size();
  while (least > 1 && curve[least - 1] <= curve[0] - 1 + slack) --least;
  return least < curve.size() ? static_cast<double>(least) : undefined;
}

double asymmetry(const std::vector<double>& curve, std::size_t zero) {
  double squares = 0;
  for (std::size_t r = 1; r <= zero; ++r) {
    const double apart = curve[zero + r] - curve[zero - r];
    squares += apart * apart;
  }
  return zero == 0 ? undefined : std::sqrt(squares / static_cast<double>(zero));
}

double first_rise(const std::vector<double>& curve, double slack) {
  for (std::size_t r = 0; r + 1 < curve.size(); ++r)
    if (curve[r + 1] - curve[r] > slack) return static_cast<double>(r);
  return undefined;
}

double mean_under_softmax(const std::vector<double>& logits) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0, distances = 0;
  for (std::size_t r = 0; r < logits.size(); ++r) {
    const double weight = std::exp(logits[r] - largest);
    sum += weight;
    distances += weight * static_cast<double>(r);
  }
  return distances / sum;
}

}  // namespace poslab::experiments::distance_profile
