// SPDX-License-Identifier: Apache-2.0
#include "curves.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace poslab::experiments::base_bounds {
namespace {

double mean_cosine(const std::vector<double>& angles, Index m) {
  double sum = 0;
  for (const double angle : angles) sum += std::cos(static_cast<double>(m) * angle);
  return sum / static_cast<double>(angles.size());
}

double bound(const std::vector<double>& angles, Index s) {
  std::complex<double> sum;
  double all = 0;
  for (const double angle : angles) {
    sum += std::polar(1.0, static_cast<double>(s) * angle);
    all += std::abs(sum);
  }
  return all / (2 * static_cast<double>(angles.size()));
}

// [L], each by itself, so that the bits do not depend on the number of threads.
template <class Function>
std::vector<double> by_distance(Index L, const Function& function) {
  std::vector<double> curve(static_cast<std::size_t>(L));
  tbb::parallel_for(Index{0}, L, [&](Index m) { curve[static_cast<std::size_t>(m)] = function(m); });
  return curve;
}

}  // namespace

Cosines cosines(const std::vector<double>& angles, Index L) {
  const std::vector<double> curve = by_distance(L, [&](Index m) { return mean_cosine(angles, m); });
  Cosines out;
  for (Index m = 0; m < L; ++m) {
    const double mean = curve[static_cast<std::size_t>(m)];
    out.least = std::min(out.least, mean);
    if (mean < 0 && !out.first_negative) out.first_negative = m;
  }
  return out;
}

LeastBound least_bound(const std::vector<double>& angles, Index L) {
  const std::vector<double> curve = by_distance(L, [&](Index s) { return bound(angles, s); });
  const auto least = std::min_element(curve.begin(), curve.end());
  return {*least, least - curve.begin()};
}

double interpolation_error(const std::vector<double>& angles) {
  double sum = 0;
  for (const double angle : angles) {
    const double sine = std::sin(angle / 4);  // 1 - cos x = 2 sin^2(x / 2), which loses no digits
    sum += 2 * sine * sine;
  }
  return sum / (2 * static_cast<double>(angles.size()));
}

}  // namespace poslab::experiments::base_bounds
