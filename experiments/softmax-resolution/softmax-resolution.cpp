// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N tokens, H heads, K head width, C contents, D model width.
#include "softmax-resolution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremes.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "row.hpp"

namespace poslab::experiments {
namespace softmax_resolution {

Axes<SoftmaxResolution> SoftmaxResolution::axes() {
  return {
      {&SoftmaxResolution::length, length_axis()},
      {&SoftmaxResolution::contents, contents_axis()},
      {&SoftmaxResolution::bound,
       {.name = "bound",
        .default_value = {1, 2, 4, 8},
        .range = {.lowest = 0, .highest = 300, .above_lowest = true},
        .unit = "nat",
        .sentence =
            "delta / T: norm(q) norm(k) scale over the softmax's temperature, the largest logit that these norms "
            "allow without positions"}},
      {&SoftmaxResolution::dtype, dtype_axis()},
  };
}

namespace {

using base::Array;
using Policy = data::Placement::Policy;

// A logit of an isometry is at most norm(q) norm(k) scale; so is one that no position enters.
bool keeps_norms(const host::Scheme& scheme) {
  return std::all_of(std::begin(host::all_operations), std::end(host::all_operations), [&](host::Operation operation) {
    return !scheme.has(operation) || (operation == host::Operation::transform && scheme.claims(POSLAB_ISOMETRY));
  });
}

void record_limits(const std::vector<double>& bounds, double N, Output& out) {
  std::vector<double> gap, least;
  for (const double bound : bounds) {
    gap.push_back(largest_gap(bound, N));
    least.push_back(N * least_attention(bound, N));
  }
  out.set(SoftmaxResolution::gap_limit, gap);
  out.set(SoftmaxResolution::least_limit, least);
}

template <class S>
void measure(const SoftmaxResolution& at, const ExperimentInput& input, Output& out) {
  const Index N = at.length;
  const std::vector<double> bounds = rising(at.bound);
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
  const Array<double> positions = input.positions(N);
  std::vector<double> gaps, largest, least, most, ranges;
  for (const double bound : bounds) {
    const Extremes all = extremes<S>(input, positions, views, at.contents, bound);
    gaps.insert(gaps.end(), all.gaps.begin(), all.gaps.end());
    largest.push_back(all.largest_gap());
    least.push_back(static_cast<double>(N) * all.least);
    most.push_back(static_cast<double>(N) * all.most);
    ranges.push_back(all.range);
  }
  out.coordinate<Bound>(bounds);
  out.coordinate<Offset>(numbers_below(N - 1));
  out.set(SoftmaxResolution::gap, gaps);
  out.set(SoftmaxResolution::largest_gap, largest);
  out.set(SoftmaxResolution::least_attention, least);
  out.set(SoftmaxResolution::most_attention, most);
  out.set(SoftmaxResolution::logit_range, ranges);
  if (keeps_norms(input.scheme)) record_limits(bounds, static_cast<double>(N), out);
}

}  // namespace

void SoftmaxResolution::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

std::optional<base::Refusal> SoftmaxResolution::why_skip(const Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  const data::Placement& placement = of.placement;
  if (placement.policy != Policy::plain && placement.policy != Policy::shifted)
    return fmt::format("positions = {} give keys no distances 0, 1, 2 ... of which two are neighbours",
                       placement.text());
  if (length < 2) return fmt::format("length = {} has one key, which has no neighbour: it needs at least 2", length);
  if (bound.empty()) return "the list of bounds is empty: no norms are given";
  if (auto refusal = why_not_finite(scheme, "its logits have no bound")) return refusal;
  return of.why_not_attended(true, length);
}

// A content, as coded; of every content and head the gaps of a row.
data::Estimate SoftmaxResolution::estimate(const Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [N, C, B] = reckoned(length, contents, bound.size());
  return {at_once(C) * needs.bytes * (N * needs.D + needs.coded(N)) + 8 * N * (C * needs.H * 1.5 + 3 * B),
          B * C * (needs.code(N) + needs.attend(N) + 30 * needs.H * N)};
}

}  // namespace softmax_resolution

Experiment make_softmax_resolution() { return experiment_of<softmax_resolution::SoftmaxResolution>(); }

}  // namespace poslab::experiments
