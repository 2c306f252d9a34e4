// SPDX-License-Identifier: Apache-2.0
// Can a linear probe read the position off its code? Definitions: decodability.md.
// Dimension letters: N positions, D model width, P pairs.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "decodability.hpp"
#include "pairs.hpp"
#include "poslab/attention/codes.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "probes.hpp"

namespace poslab::experiments {
namespace decodability {

using base::Array;

Axes<Decodability> Decodability::axes() {
  return {{&Decodability::length, length_axis()},
          {&Decodability::pairs,
           {.name = "pairs",
            .default_value = 512,
            .range = {.lowest = 2, .highest = 8192},
            .sentence = "P: how many ordered pairs of positions are drawn; at most all N^2 that there are"}},
          {&Decodability::folds,
           {.name = "folds",
            .default_value = 5,
            .range = {.lowest = 2, .highest = 1024},
            .sentence = "into how many parts rows and pairs are cut, each held out once"}},
          {&Decodability::dtype, dtype_axis()}};
}

namespace {

void require_different(View<const double> table, const std::string& scheme) {
  const Index N = table.shape[0], D = table.shape[1];
  for (Index n = 1; n < N; ++n)
    if (!std::equal(&table.data[n * D], &table.data[(n + 1) * D], table.data)) return;
  throw data::Refused(
      fmt::format("all {} codes of scheme \"{}\" are the same {} numbers, the first of them {}: a probe "
                  "can read nothing off them; look at its weights and parameters",
                  N, scheme, D, base::shortest(table.data[0])));
}

// In double, whatever the scheme works in.
template <class S>
Array<double> table_of(const ExperimentInput& input, Index N) {
  const host::Weights<S> weights = draw_weights<S>(input);
  const host::Context context = input.scheme.context(N);
  const std::vector<View<const S>> views = weights.layer(0);
  return as<double>(attention::codes<S>(input.scheme, context, input.positions(N), views));
}

template <class S>
void measure(const Decodability& at, const ExperimentInput& input, Output& out) {
  using D = Decodability;
  const Index N = at.length, folds = at.folds;
  const Array<double> table = table_of<S>(input, N);
  if (input.scheme.has(host::Operation::encode)) require_different(table, input.scheme.info().id);
  const PositionProbe position =
      probe_position(table, shuffled(input.draws, N), folds, static_cast<double>(std::numeric_limits<S>::epsilon()));
  const OrderProbe order = probe_order(table, pairs_of(input.draws, N, at.drawn_pairs()), folds);
  out.set(D::position_error, position.error);
  out.set(D::position_error_chance, position.chance);
  out.set(D::position_residual, position.residual);
  out.set(D::rank, static_cast<double>(position.rank));
  out.set(D::order_error, order.error);
  out.set(D::order_error_chance, order.chance);
}

}  // namespace

void Decodability::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

std::optional<base::Refusal> Decodability::why_skip(const Setting& of) const {
  if (auto refusal = attention::why_no_codes(of.scheme)) return refusal;
  if (length < folds)
    return fmt::format(
        "{} folds want as many positions or more, and the length is {}: take fewer folds (2 or more) or "
        "a greater length",
        folds, length);
  if (drawn_pairs() < folds)
    return fmt::format(
        "{} folds want as many pairs or more, and there are {}: take more pairs, or fewer folds (2 or "
        "more)",
        folds, drawn_pairs());
  return of.why_not_length(length);
}

// The table in double; for each fold of positions four copies of it and the decomposition of a square; the products of
// all pairs, and for each fold of pairs three copies of them.
data::Estimate Decodability::estimate(const Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [N, P, folded] = reckoned(length, drawn_pairs(), folds);
  const double D = needs.D, small = std::min(N, D), left = 1 - 1 / folded, gram = P * P;
  const double position = at_once(folded) * (4 * N * D + 8 * small * small),
               order = std::max(gram + 2 * P * D, gram + at_once(folded) * 3 * left * left * gram);
  return {8 * (N * D + std::max(position, order)),
          needs.encode(N) + needs.products(folded * (2 * N * D * small + 15 * small * small * small + 1.5 * gram * P) +
                                           2 * gram * D)};
}

}  // namespace decodability

Experiment make_decodability() { return experiment_of<decodability::Decodability>(); }

}  // namespace poslab::experiments
