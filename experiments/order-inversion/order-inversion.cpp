// SPDX-License-Identifier: Apache-2.0
// How likely does the farther of two keys get the higher logit? Definitions: order-inversion.md.
// Dimension letters: N tokens, H heads, C contents, D model width, R distances.
#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>

#include "contents.hpp"
#include "inversion.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/mean_and_error.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments {
namespace order_inversion {

data::ExperimentInfo describe();  // declaration.cpp

namespace {

using Policy = data::Placement::Policy;
using Heads = std::vector<std::vector<double>>;

// That of the head with the largest logit.
double slack_of_heads(const Heads& heads, const std::string& dtype) {
  double slack = 0;
  for (const std::vector<double>& logits : heads) slack = std::max(slack, slack_of(logits, dtype));
  return slack;
}

// [R]: of one content, over its heads.
std::vector<double> inversions(const Heads& heads, const std::vector<double>& distances, double slack) {
  std::vector<double> shares;
  for (const double distance : distances) {
    double sum = 0;
    for (const std::vector<double>& logits : heads) sum += inversion(logits, static_cast<std::size_t>(distance), slack);
    shares.push_back(sum / static_cast<double>(heads.size()));
  }
  return shares;
}

std::vector<double> flips(const Heads& of_a, const Heads& of_b, const std::vector<double>& distances, double slack) {
  std::vector<double> shares;
  for (const double distance : distances) {
    double sum = 0;
    for (std::size_t h = 0; h < of_a.size(); ++h)
      sum += flip(of_a[h], of_b[h], static_cast<std::size_t>(distance), slack);
    shares.push_back(sum / static_cast<double>(of_a.size()));
  }
  return shares;
}

// [C][R] -> mean and standard error over contents.
void record_shares(const std::string& name, const std::vector<std::vector<double>>& of_contents, std::size_t R,
                   data::Record& record) {
  std::vector<double> means, errors;
  for (std::size_t r = 0; r < R; ++r) {
    std::vector<double> values;
    for (const std::vector<double>& one : of_contents) values.push_back(one[r]);
    const data::MeanAndError found = data::mean_and_error(values);
    means.push_back(found.mean);
    // One content says nothing of the others.
    errors.push_back(values.size() < 2 ? std::numeric_limits<double>::quiet_NaN() : found.error);
  }
  record.curve(name, {"distance"}, means);
  record.curve(name + "_error", {"distance"}, errors);
}

template <class S>
data::Record measure(const ExperimentInput& input) {
  const Index N = input.axes.integer("length"), C = input.axes.integer("contents");
  const std::string& dtype = input.axes.text("dtype");
  const std::vector<double> distances = rising(input.axes.list("distance"));
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.of_layer(0);
  const Array<double> positions = input.positions(N);
  data::Record record;
  record.coordinate("distance", distances);
  for (const Keys keys : all_keys) {
    std::vector<std::vector<double>> of_contents(static_cast<std::size_t>(C)), flipped = of_contents;
    tbb::parallel_for(Index{0}, C, [&](Index c) {
      const Heads heads = logits_by_distance<S>(input, positions, views, keys, c);
      const double slack = slack_of_heads(heads, dtype);
      of_contents[static_cast<std::size_t>(c)] = inversions(heads, distances, slack);
      if (keys != Keys::moved) return;
      const Heads other = logits_by_distance<S>(input, positions, views, keys, c, "other ");
      flipped[static_cast<std::size_t>(c)] =
          flips(heads, other, distances, std::max(slack, slack_of_heads(other, dtype)));
    });
    record_shares(std::string("inversion_") + to_text(keys), of_contents, distances.size(), record);
    if (keys == Keys::moved) record_shares("relevance_flip", flipped, distances.size(), record);
  }
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return measure<decltype(scalar)>(input); });
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const Index N = axes.integer("length");
  if (placement.policy != Policy::plain && placement.policy != Policy::shifted)
    return fmt::format("positions = {} give keys no distances 0, 1, 2 ... of which one is the farther",
                       placement.text());
  if (N < 2)
    return fmt::format("length = {} has no two keys, of which one could be the farther: it needs at least 2", N);
  if (std::string reason = why_not_whole(axes, "distance", "positions"); !reason.empty()) return reason;
  if (rising(axes.list("distance")).front() > static_cast<double>(N - 2))
    return fmt::format("no key is farther than the least distance {}: with length = {} the farthest lies at {}",
                       base::shortest(rising(axes.list("distance")).front()), N, N - 1);
  if (scheme.claims(POSLAB_MAY_BE_INFINITE))
    return fmt::format("scheme \"{}\" may give -infinity: which of its logits is higher means nothing",
                       scheme.info().id);
  if (std::string reason = scheme.why_not_mask(true); !reason.empty()) return reason;
  return scheme.why_not_positions(placement.lowest(), placement.highest(N));
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), C = axes.real("contents"),
               R = static_cast<double>(axes.list("distance").size());
  const auto D = static_cast<double>(scheme.model().model_width), H = static_cast<double>(scheme.model().heads);
  const double at_once = std::min(C, static_cast<double>(tbb::this_task_arena::max_concurrency()));
  return {at_once * 8 * (9 * N * D + 6 * H * N), 4 * C * (60 * N * D + (30 + R) * H * N)};
}

}  // namespace
}  // namespace order_inversion

Experiment make_order_inversion() {
  using namespace order_inversion;
  return {describe(), why_skip, estimate, run, axis_length};
}

}  // namespace poslab::experiments
