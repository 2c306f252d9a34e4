// SPDX-License-Identifier: Apache-2.0
#include "search/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "poslab/base/array.hpp"
#include "poslab/numerics/linear_fit.hpp"

namespace poslab::identify {
namespace {

using base::Array;
using base::Index;

double square_of(const std::vector<double>& list) {
  if (list.empty()) return std::numeric_limits<double>::infinity();
  const double sum = std::inner_product(list.begin(), list.end(), list.begin(), 0.0);
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

// The step that the linear part of the residuals asks for; empty where there is none.
std::vector<double> step_of(const Residuals& residuals, const std::vector<double>& x, const std::vector<double>& at,
                            double difference) {
  const auto R = static_cast<Index>(at.size()), D = static_cast<Index>(x.size());
  Array<double> slopes{R, D}, target{R, 1};
  for (Index d = 0; d < D; ++d) {
    std::vector<double> moved = x;
    const double by = difference * std::max(1.0, std::abs(x[static_cast<std::size_t>(d)]));
    moved[static_cast<std::size_t>(d)] += by;
    const std::vector<double> there = residuals(moved);
    if (there.size() != at.size()) return {};
    for (Index r = 0; r < R; ++r) {
      slopes(r, d) = (there[static_cast<std::size_t>(r)] - at[static_cast<std::size_t>(r)]) / by;
      if (!std::isfinite(slopes(r, d))) return {};
    }
  }
  for (Index r = 0; r < R; ++r) target(r, 0) = -at[static_cast<std::size_t>(r)];
  const Array<double> step = numerics::LeastSquares(slopes, 1e-12).solve(target);
  return {step.flat().begin(), step.flat().end()};
}

}  // namespace

Descent descend(const Residuals& residuals, std::vector<double> start, int max_steps, double difference) {
  std::vector<double> at = residuals(start);
  Descent best{std::move(start), square_of(at)};
  for (int step = 0; step < max_steps && std::isfinite(best.sum_of_squares) && best.sum_of_squares > 0; ++step) {
    const std::vector<double> direction = step_of(residuals, best.x, at, difference);
    if (direction.empty()) break;
    bool better = false;
    for (double share = 1; share > 1e-3 && !better; share /= 3) {
      std::vector<double> x = best.x;
      for (std::size_t d = 0; d < x.size(); ++d) x[d] += share * direction[d];
      std::vector<double> there = residuals(x);
      const double sum = square_of(there);
      if (!(sum < best.sum_of_squares)) continue;
      better = sum < best.sum_of_squares * (1 - 1e-9);
      best = {std::move(x), sum};
      at = std::move(there);
      if (!better) break;
    }
    if (!better) break;
  }
  return best;
}

}  // namespace poslab::identify
