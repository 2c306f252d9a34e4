// SPDX-License-Identifier: Apache-2.0
// How far apart can attention to two neighbouring distances be when norms are bounded? Definitions:
// softmax-resolution.md.
// Dimension letters: N tokens, H heads, K head width, C contents, D model width.
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "extremes.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "row.hpp"

namespace poslab::experiments {
namespace softmax_resolution {

data::ExperimentInfo describe();  // declaration.cpp

namespace {

using base::Array;
using Policy = data::Placement::Policy;

// A logit of an isometry is at most norm(q) norm(k) scale; so is one that no position enters.
bool keeps_norms(const host::Scheme& scheme) {
  return std::all_of(std::begin(host::all_operations), std::end(host::all_operations), [&](host::Operation operation) {
    return !scheme.has(operation) || (operation == host::Operation::transform && scheme.claims(POSLAB_ISOMETRY));
  });
}

void record_limits(const std::vector<double>& bounds, double N, data::Record& record) {
  std::vector<double> gap, least;
  for (const double bound : bounds) {
    gap.push_back(largest_gap(bound, N));
    least.push_back(N * least_attention(bound, N));
  }
  record.curve("gap_limit", {"bound"}, gap);
  record.curve("least_limit", {"bound"}, least);
}

template <class S>
data::Record measure(const ExperimentInput& input) {
  const Index N = input.axes.integer("length");
  const std::vector<double> bounds = rising(input.axes.list("bound"));
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.of_layer(0);
  const Array<double> positions = input.positions(N);
  std::vector<double> offsets, gaps, largest, least, most, ranges;
  for (Index r = 0; r + 1 < N; ++r) offsets.push_back(static_cast<double>(r));
  for (const double bound : bounds) {
    const Extremes all = extremes<S>(input, positions, views, bound);
    gaps.insert(gaps.end(), all.gaps.begin(), all.gaps.end());
    largest.push_back(all.largest_gap());
    least.push_back(static_cast<double>(N) * all.least);
    most.push_back(static_cast<double>(N) * all.most);
    ranges.push_back(all.range);
  }
  data::Record record;
  record.coordinate("bound", bounds);
  record.coordinate("offset", offsets);
  record.curve("gap", {"bound", "offset"}, gaps);
  record.curve("largest_gap", {"bound"}, largest);
  record.curve("least_attention", {"bound"}, least);
  record.curve("most_attention", {"bound"}, most);
  record.curve("logit_range", {"bound"}, ranges);
  if (keeps_norms(input.scheme)) record_limits(bounds, static_cast<double>(N), record);
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return measure<decltype(scalar)>(input); });
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const Index N = axes.integer("length");
  if (placement.policy != Policy::plain && placement.policy != Policy::shifted)
    return fmt::format("positions = {} give keys no distances 0, 1, 2 ... of which two are neighbours",
                       placement.text());
  if (N < 2) return fmt::format("length = {} has one key, which has no neighbour: it needs at least 2", N);
  if (axes.list("bound").empty()) return "the list of bounds is empty: no norms are given";
  if (scheme.claims(POSLAB_MAY_BE_INFINITE))
    return fmt::format("scheme \"{}\" may give -infinity: its logits have no bound", scheme.info().id);
  if (std::string reason = scheme.why_not_mask(true); !reason.empty()) return reason;
  return scheme.why_not_positions(placement.lowest(), placement.highest(N));
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), C = axes.real("contents"), B = static_cast<double>(axes.list("bound").size());
  const auto D = static_cast<double>(scheme.model().model_width), H = static_cast<double>(scheme.model().heads);
  const double at_once = std::min(C, static_cast<double>(tbb::this_task_arena::max_concurrency()));
  return {8 * (at_once * (9 * N * D + 6 * H * N) + C * H * N + 2 * B * N), B * C * (60 * N * D + 60 * H * N)};
}

}  // namespace
}  // namespace softmax_resolution

Experiment make_softmax_resolution() {
  using namespace softmax_resolution;
  return {describe(), why_skip, estimate, run, axis_length};
}

}  // namespace poslab::experiments
