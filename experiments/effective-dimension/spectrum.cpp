// SPDX-License-Identifier: Apache-2.0
#include "spectrum.hpp"

#include <numeric>

#include "poslab/numerics/decompositions.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::effective_dimension {
namespace {

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

double participation(const std::vector<double>& shares) {
  double sum = 0, squares = 0;
  for (const double share : shares) {
    sum += share;
    squares += share * share;
  }
  return numerics::ratio_or_zero(sum * sum, squares);
}

std::vector<double> gram_eigenvalues(View<const double> a) {
  std::vector<double> values = numerics::singular_values(a);
  for (double& value : values) value *= value;
  return values;
}

Index directions(const std::vector<double>& falling, double share) {
  const double enough = share * sum_of(falling);
  Index count = 0;
  for (double held = 0; held < enough; ++count) held += falling[static_cast<std::size_t>(count)];
  return count;
}

std::vector<double> normalised(std::vector<double> values) {
  const double sum = sum_of(values);
  for (double& value : values) value = numerics::ratio_or_zero(value, sum);
  return values;
}

Array<double> less_mean_of_columns(View<const double> a) {
  const Index M = a.shape[0], W = a.shape[1];
  Array<double> out{M, W};
  for (Index w = 0; w < W; ++w) {
    double mean = 0;
    for (Index m = 0; m < M; ++m) mean += a(m, w) / static_cast<double>(M);
    for (Index m = 0; m < M; ++m) out(m, w) = a(m, w) - mean;
  }
  return out;
}

Array<double> less_mean_of_rows(View<const double> a) {
  const Index M = a.shape[0], W = a.shape[1];
  Array<double> out{M, W};
  for (Index m = 0; m < M; ++m) {
    double mean = 0;
    for (Index w = 0; w < W; ++w) mean += a(m, w) / static_cast<double>(W);
    for (Index w = 0; w < W; ++w) out(m, w) = a(m, w) - mean;
  }
  return out;
}

}  // namespace poslab::experiments::effective_dimension
