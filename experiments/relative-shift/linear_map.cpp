// SPDX-License-Identifier: Apache-2.0
// Is there one linear map M_k that takes every phi(p) to phi(p + k)? Fitted on even positions, measured on odd ones.
#include <algorithm>

#include "parts.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiments/precision.hpp"
#include "poslab/numerics/least_squares.hpp"

namespace poslab::experiments::relative_shift {
namespace {

// Rows first, first + 2, ... of `rows` below `end`.
Array<double> every_other(View<const double> rows, Index first, Index end) {
  const Index count = std::max<Index>(0, (end - first + 1) / 2), width = rows.shape[1];
  Array<double> out{count, width};
  for (Index i = 0; i < count; ++i) std::copy_n(&rows(first + 2 * i, 0), width, &out(i, 0));
  return out;
}

}  // namespace

template <class S>
std::vector<double> linear_map_residuals(const Setting<S>& setting, Index positions, const std::vector<double>& steps) {
  constexpr double rcond = 1e-12;
  const Index D = setting.scheme.model().model_width;
  // One set of positions for all steps: they are compared on the same footing, and one decomposition serves all.
  const Index farthest = steps.empty() ? positions : static_cast<Index>(steps.back()), usable = positions - farthest;
  if ((usable + 1) / 2 < 2 * D) return {};
  const Array<double> all = as<double>(attention::position_signatures<S>(
      setting.scheme, setting.context, Trial::positions(0, positions), setting.weights));
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

template std::vector<double> linear_map_residuals(const Setting<double>&, Index, const std::vector<double>&);
template std::vector<double> linear_map_residuals(const Setting<float>&, Index, const std::vector<double>&);

}  // namespace poslab::experiments::relative_shift
