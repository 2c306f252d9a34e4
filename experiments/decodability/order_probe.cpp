// SPDX-License-Identifier: Apache-2.0
// Dimension letters: D model width, P pairs, R pairs of a fit.
#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "folds.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/numerics/logistic.hpp"
#include "poslab/numerics/products.hpp"
#include "probes.hpp"

namespace poslab::experiments::decodability {
namespace {

using base::Array;

// Inner products [P, P] of the pairs' features, two codes side by side.
Array<double> products_of(View<const double> codes, std::span<const std::pair<Index, Index>> pairs) {
  const Index P = static_cast<Index>(pairs.size()), D = codes.shape[1];
  Array<double> features{P, 2 * D}, products{P, P};
  for (Index i = 0; i < P; ++i) {
    const auto [first, second] = pairs[base::at(i)];
    std::copy_n(&codes.data[first * D], D, &features(i, 0));
    std::copy_n(&codes.data[second * D], D, &features(i, D));
  }
  numerics::multiply_rows<double>(features.view(), features.view(), 1, products.data());
  return products;
}

OrderProbe probe_fold(View<const double> products, std::span<const std::uint8_t> labels, const Fold& fold) {
  const auto R = static_cast<Index>(fold.fitted.size());
  Array<double> fitted{R, R};
  std::vector<std::uint8_t> fitted_labels;
  for (Index i = 0; i < R; ++i) {
    const Index row = fold.fitted[base::at(i)];
    fitted_labels.push_back(labels[base::at(row)]);
    for (Index j = 0; j < R; ++j) fitted(i, j) = products(row, fold.fitted[base::at(j)]);
  }
  const numerics::LogisticFit fit = numerics::logistic_regression(fitted, fitted_labels);
  const bool commoner = 2 * std::count(fitted_labels.begin(), fitted_labels.end(), 1) > R;
  OrderProbe wrong;
  for (const Index row : fold.held_out) {
    double logit = fit.intercept;
    for (Index j = 0; j < R; ++j) logit += fit.weights[base::at(j)] * products(row, fold.fitted[base::at(j)]);
    const bool is_later = labels[base::at(row)] != 0;
    wrong.error += (logit > 0) != is_later;
    wrong.chance += commoner != is_later;
  }
  const auto held_out = static_cast<double>(fold.held_out.size());
  return {wrong.error / held_out, wrong.chance / held_out};
}

void require_both_classes(std::span<const std::uint8_t> labels, const std::vector<Fold>& folds) {
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const auto later = std::count_if(folds[f].fitted.begin(), folds[f].fitted.end(),
                                     [&](Index row) { return labels[base::at(row)] != 0; });
    const auto fitted = static_cast<std::ptrdiff_t>(folds[f].fitted.size());
    if (later == 0 || later == fitted)
      throw data::Refused(fmt::format(
          "the second comes later in {} of the {} pairs that fold {} of {} of the order probe is fitted to, and it "
          "wants pairs of both kinds: draw more than {} pairs, or take a greater length",
          later, fitted, f + 1, folds.size(), labels.size()));
  }
}

}  // namespace

OrderProbe probe_order(View<const double> codes, std::span<const std::pair<Index, Index>> pairs, Index folds) {
  std::vector<std::uint8_t> labels;
  for (const auto& [first, second] : pairs) labels.push_back(second > first);
  const std::vector<Fold> all = stratified_folds(labels, folds);
  require_both_classes(labels, all);
  const Array<double> products = products_of(codes, pairs);
  std::vector<OrderProbe> probes(all.size());
  tbb::parallel_for(std::size_t{0}, all.size(),
                    [&](std::size_t f) { probes[f] = probe_fold(products, labels, all[f]); });
  OrderProbe whole;
  for (const OrderProbe& probe : probes) {
    whole.error += probe.error / static_cast<double>(folds);
    whole.chance += probe.chance / static_cast<double>(folds);
  }
  return whole;
}

}  // namespace poslab::experiments::decodability
