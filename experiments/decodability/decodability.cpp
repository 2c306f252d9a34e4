// SPDX-License-Identifier: Apache-2.0
// Can a linear probe read the position off its code? Definitions: decodability.md.
// Dimension letters: N positions, D model width, P pairs.
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>

#include "pairs.hpp"
#include "poslab/attention/codes.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "probes.hpp"

namespace poslab::experiments {
namespace decodability {
namespace {

using base::Array;

Index pairs_of(const data::Values& axes) {
  const Index N = axes.integer("length"), wanted = axes.integer("pairs");
  return N > wanted ? wanted : std::min(wanted, N * N);  // N^2 may be more than an Index holds
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (std::string reason = attention::why_no_codes(scheme); !reason.empty()) return reason;
  const Index N = axes.integer("length"), folds = axes.integer("folds"), P = pairs_of(axes);
  if (N < folds)
    return fmt::format(
        "{} folds want as many positions or more, and the length is {}: take fewer folds (2 or more) or "
        "a greater length",
        folds, N);
  if (P < folds)
    return fmt::format(
        "{} folds want as many pairs or more, and there are {}: take more pairs, or fewer folds (2 or "
        "more)",
        folds, P);
  return scheme.why_not_positions(placement.lowest(), placement.highest(N));
}

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
Array<double> table_of(const ExperimentInput& input) {
  const Index N = input.axes.integer("length");
  const host::Weights<S> weights = draw_weights<S>(input);
  const host::Context context = input.scheme.context(N);
  const std::vector<View<const S>> views = weights.of_layer(0);
  return as<double>(attention::codes<S>(input.scheme, context, input.positions(N), views));
}

template <class S>
data::Record measure(const ExperimentInput& input) {
  const Index N = input.axes.integer("length"), folds = input.axes.integer("folds");
  const Array<double> table = table_of<S>(input);
  if (input.scheme.has(host::Operation::encode)) require_different(table, input.scheme.info().id);
  const PositionProbe position =
      probe_position(table, shuffled(input.draws, N), folds, static_cast<double>(std::numeric_limits<S>::epsilon()));
  const OrderProbe order = probe_order(table, drawn_pairs(input.draws, N, pairs_of(input.axes)), folds);
  data::Record record;
  record.scalar("position_error", position.error);
  record.scalar("position_error_chance", position.chance);
  record.scalar("position_residual", position.residual);
  record.scalar("rank", static_cast<double>(position.rank));
  record.scalar("order_error", order.error);
  record.scalar("order_error_chance", order.chance);
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return measure<decltype(scalar)>(input); });
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), D = static_cast<double>(scheme.model().model_width), folds = axes.real("folds");
  const double P = static_cast<double>(pairs_of(axes)), small = std::min(N, D);
  const double at_once = std::min(folds, static_cast<double>(tbb::this_task_arena::max_concurrency()));
  const double position = 8 * (5 * N * D + 8 * small * small), order = 8 * 4 * P * P;
  return {8 * (2 * N * D + 2 * P * D + P * P) + at_once * std::max(position, order),
          folds * (4 * N * D * small + 20 * small * small * small + 8 * P * P * P) + 4 * P * P * D};
}

}  // namespace

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

}  // namespace decodability

Experiment make_decodability() {
  using namespace decodability;
  return {describe(), why_skip, estimate, run, axis_length, column(), answer};
}

}  // namespace poslab::experiments
