// SPDX-License-Identifier: Apache-2.0
// Is there one linear map M_k that takes every phi(p) to phi(p + k)? Fitted on even positions, measured on odd ones.
#include <algorithm>
#include <cmath>
#include <limits>

#include "parts.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/linear_fit.hpp"

namespace poslab::experiments::relative_shift {
namespace {

// Rows first, first + 2, ... of `rows` below `end`.
Array<double> every_other(View<const double> rows, Index first, Index end) {
  const Index count = std::max<Index>(0, (end - first + 1) / 2), width = rows.shape[1];
  Array<double> out{count, width};
  for (Index i = 0; i < count; ++i) std::copy_n(&rows(first + 2 * i, 0), width, &out(i, 0));
  return out;
}

constexpr double rcond = 1e-12;

template <class S>
Array<double> codes(const Setting<S>& setting, View<const double> positions) {
  return as<double>(attention::position_signatures<S>(setting.scheme, setting.context, positions, setting.weights));
}

// All positions but the last ones, which only the steps lead to: their codes are those of the sequence itself.
template <class S>
std::vector<double> along_the_sequence(const Setting<S>& setting, const std::vector<double>& steps) {
  const Index D = setting.scheme.model().model_width, positions = setting.positions.shape[0];
  // One set of positions for all steps: they are compared on the same footing, and one decomposition serves all.
  const Index farthest = steps.empty() ? positions : static_cast<Index>(steps.back()), usable = positions - farthest;
  if ((usable + 1) / 2 < 2 * D) return {};
  const Array<double> all = codes(setting, setting.positions);
  const Array<double> even = every_other(all, 0, usable), odd = every_other(all, 1, usable);
  const numerics::LeastSquares fit(even, rcond);
  std::vector<double> residuals;
  for (const double step : steps) {
    const Index k = static_cast<Index>(step);
    const Array<double> map = fit.solve(every_other(all, k, usable + k));
    residuals.push_back(numerics::relative_residual(odd, map, every_other(all, 1 + k, usable + k)));
  }
  return residuals;
}

// The rows of tokens of one parity: of their numbers in a sequence, of row + column (+ frame) on a grid, where every
// row and column has both.
Array<double> of_parity(View<const double> rows, View<const double> positions, Index parity) {
  const Index A = positions.shape[1], width = rows.shape[1];
  std::vector<Index> chosen;
  for (Index n = 0; n < rows.shape[0]; ++n) {
    Index number = A == 1 ? n : 0;
    for (Index axis = 0; A > 1 && axis < A; ++axis) number += static_cast<Index>(positions(n, axis));
    if (number % 2 == parity) chosen.push_back(n);
  }
  Array<double> out{static_cast<Index>(chosen.size()), width};
  for (std::size_t i = 0; i < chosen.size(); ++i)
    std::copy_n(&rows(chosen[i], 0), width, &out(static_cast<Index>(i), 0));
  return out;
}

// Elsewhere p + k need not be the position of a token: every step starts from all of them.
template <class S>
std::vector<double> from_everywhere(const Setting<S>& setting, const std::vector<double>& steps) {
  const View<const double> positions = setting.positions;
  const Index N = positions.shape[0], A = positions.shape[1];
  const Array<double> all = codes(setting, positions), odd = of_parity(all, positions, 1),
                      even = of_parity(all, positions, 0);
  if (even.extent(0) < 2 * setting.scheme.model().model_width) return {};
  const numerics::LeastSquares fit(even, rcond);
  std::vector<double> residuals;
  for (const double step : steps) {
    double worst = 0;
    for (Index axis = 0; axis < A; ++axis) {
      Array<double> ahead{N, A};
      std::copy(positions.begin(), positions.end(), ahead.data());
      for (Index n = 0; n < N; ++n) ahead(n, axis) += step;
      if (why_not_served(setting.scheme, ahead.view().rows(N - 1, 1))) worst = std::numeric_limits<double>::quiet_NaN();
      if (std::isnan(worst)) break;
      const Array<double> to = codes(setting, ahead), map = fit.solve(of_parity(to, positions, 0));
      worst = std::max(worst, numerics::relative_residual(odd, map, of_parity(to, positions, 1)));
    }
    residuals.push_back(worst);
  }
  return residuals;
}

}  // namespace

template <class S>
std::vector<double> linear_map_residuals(const Setting<S>& setting, const std::vector<double>& steps) {
  return setting.is_plain ? along_the_sequence(setting, steps) : from_everywhere(setting, steps);
}

template std::vector<double> linear_map_residuals(const Setting<double>&, const std::vector<double>&);
template std::vector<double> linear_map_residuals(const Setting<float>&, const std::vector<double>&);

}  // namespace poslab::experiments::relative_shift
