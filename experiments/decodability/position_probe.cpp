// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, D model width, R rows of a fit.
#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "folds.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/numerics/linear_fit.hpp"
#include "probes.hpp"

namespace poslab::experiments::decodability {
namespace {

using base::Array;

struct Rows {
  Array<double> codes, positions;  // [R, D], [R, 1]

  Rows(View<const double> all, std::span<const Index> order, std::span<const Index> chosen)
      : codes{static_cast<Index>(chosen.size()), all.shape[1]}, positions{static_cast<Index>(chosen.size()), 1} {
    for (Index r = 0; r < positions.size(); ++r) {
      const Index n = order[static_cast<std::size_t>(chosen[static_cast<std::size_t>(r)])];
      std::copy_n(&all.data[n * all.shape[1]], all.shape[1], &codes.data()[r * all.shape[1]]);
      positions(r, 0) = static_cast<double>(n);
    }
  }
  double mean_position() const {
    double sum = 0;
    for (const double position : positions.flat()) sum += position;
    return sum / static_cast<double>(positions.size());
  }
};

PositionProbe probe_fold(View<const double> codes, std::span<const Index> order, const Fold& fold, double rcond) {
  const Rows fitted(codes, order, fold.fitted), held_out(codes, order, fold.held_out);
  const numerics::AffineFit fit = numerics::least_squares_with_intercept(fitted.codes, fitted.positions, rcond);
  const Array<double> predicted = fit.map(held_out.codes);
  const double constant = std::nearbyint(fitted.mean_position());
  PositionProbe probe{.rank = fit.rank};
  for (Index r = 0; r < predicted.size(); ++r) {
    const double position = held_out.positions(r, 0);
    if (!std::isfinite(predicted(r, 0)))
      throw data::not_finite("the position that least squares reads", fmt::format("the code of token {:g}", position),
                             predicted(r, 0));
    probe.error += std::abs(std::nearbyint(predicted(r, 0)) - position);  // ties to even, as numpy rounds
    probe.chance += std::abs(constant - position);
    probe.residual = std::max(probe.residual, std::abs(predicted(r, 0) - position));
  }
  probe.error /= static_cast<double>(predicted.size());
  probe.chance /= static_cast<double>(predicted.size());
  return probe;
}

}  // namespace

PositionProbe probe_position(View<const double> codes, std::span<const Index> order, Index folds, double rcond) {
  const std::vector<Fold> all = contiguous_folds(codes.shape[0], folds);
  std::vector<PositionProbe> probes(all.size());
  tbb::parallel_for(std::size_t{0}, all.size(),
                    [&](std::size_t f) { probes[f] = probe_fold(codes, order, all[f], rcond); });
  PositionProbe whole{.rank = probes[0].rank};
  for (const PositionProbe& probe : probes) {
    whole.error += probe.error / static_cast<double>(folds);
    whole.chance += probe.chance / static_cast<double>(folds);
    whole.residual = std::max(whole.residual, probe.residual);
    whole.rank = std::min(whole.rank, probe.rank);
  }
  return whole;
}

}  // namespace poslab::experiments::decodability
