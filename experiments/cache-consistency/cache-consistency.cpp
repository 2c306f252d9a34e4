// SPDX-License-Identifier: Apache-2.0
// Does a logit stay what it was when the context grows and its key comes from a cache? Definitions:
// cache-consistency.md.
// Dimension letters: N tokens, T of the shorter context, D model width, H heads, K head width, C contents.
#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "growth.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments {
namespace cache_consistency {

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

namespace {

using base::Array;
using Policy = data::Placement::Policy;

Index tokens_of(double share, Index N) {
  return std::max(Index{1}, static_cast<Index>(whole_share(share, static_cast<double>(N))));
}

template <class S>
Change change_of_contents(const ExperimentInput& input, const Setting<S>& setting, Index T) {
  const Index C = input.axes.integer("contents"), N = setting.positions.shape[0], H = input.scheme.model().heads,
              K = input.scheme.model().head_width();
  std::vector<Change> of_content(static_cast<std::size_t>(C));
  tbb::parallel_for(Index{0}, C, [&](Index c) {
    const Array<S> query = as<S>(input.draws.normal(fmt::format("query of content {}", c), {H, N, K})),
                   key = as<S>(input.draws.normal(fmt::format("key of content {}", c), {H, N, K}));
    of_content[static_cast<std::size_t>(c)] = change<S>(setting, query, key, T);
  });
  Change all;
  for (const Change& one : of_content) all.append(one);
  return all;
}

template <class S>
data::Record measure(const ExperimentInput& input) {
  const Index N = input.axes.integer("length");
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.of_layer(0);
  const Array<double> positions = input.positions(N);
  const Setting<S> setting{input.scheme, views, positions};
  const Policy policy = input.placement.policy;
  const bool has_rows =
      input.scheme.has(host::Operation::bias) && (policy == Policy::plain || policy == Policy::shifted);
  const std::vector<double> shares = rising(input.axes.list("cached"));
  std::vector<double> largest, root_mean_square, moved, past, reused;
  for (const double share : shares) {
    const Index T = tokens_of(share, N);
    const Change change = change_of_contents(input, setting, T);
    largest.push_back(change.largest);
    root_mean_square.push_back(std::sqrt(change.squares / change.pairs));
    moved.push_back(change.moved / change.queries);
    past.push_back(change.past);
    if (has_rows) reused.push_back(reused_bias_change(setting, T));
  }
  data::Record record;
  record.coordinate("cached", shares);
  record.curve("cached_error", {"cached"}, largest);
  record.curve("cached_error_rms", {"cached"}, root_mean_square);
  record.curve("attention_moved", {"cached"}, moved);
  record.curve("past_error", {"cached"}, past);
  if (has_rows) record.curve("reused_bias_error", {"cached"}, reused);
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return measure<decltype(scalar)>(input); });
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (axes.integer("length") < 2)
    return fmt::format(
        "a context of length = {} has no token before its last one whose key could be cached: it needs "
        "at least 2",
        axes.integer("length"));
  if (axes.list("cached").empty()) return "the list of shares `cached` is empty: there is no context that grows";
  if (scheme.claims(POSLAB_MAY_BE_INFINITE))
    return fmt::format("scheme \"{}\" may give -infinity: differences of its logits mean nothing", scheme.info().id);
  if (std::string reason = scheme.why_not_mask(true); !reason.empty()) return reason;
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), C = axes.real("contents");
  const auto D = static_cast<double>(scheme.model().model_width), H = static_cast<double>(scheme.model().heads);
  const double shares = static_cast<double>(axes.list("cached").size()),
               M = std::min(N, static_cast<double>(queries_looked_at));
  const double at_once = std::min(C, static_cast<double>(tbb::this_task_arena::max_concurrency()));
  return {at_once * 8 * (16 * N * D + 6 * H * M * N), shares * C * (4 * M * N * (2 * D + 30 * H) + 60 * N * D)};
}

}  // namespace
}  // namespace cache_consistency

Experiment make_cache_consistency() {
  using namespace cache_consistency;
  return {describe(),
          why_skip,
          estimate,
          run,
          [](const data::Values& axes) -> Index { return axes.integer("train_length"); },
          column(),
          answer};
}

}  // namespace poslab::experiments
