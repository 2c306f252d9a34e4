// SPDX-License-Identifier: Apache-2.0
// Does a logit stay what it was when the context grows and its key comes from a cache? Definitions:
// cache-consistency.md.
// Dimension letters: N tokens, T of the shorter context, D model width, H heads, K head width, C contents.
#include "cache-consistency.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "growth.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/lengths.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments {
namespace cache_consistency {

Axes<CacheConsistency> CacheConsistency::axes() {
  return {
      {&CacheConsistency::length, length_axis()},
      {&CacheConsistency::train_length,
       {.name = "train_length",
        .default_value = 256,
        .range = from_one,
        .unit = "position",
        .sentence = "L: the length that the scheme is told it was trained at"}},
      {&CacheConsistency::contents, contents_axis()},
      {&CacheConsistency::cached,
       {.name = "cached",
        .default_value = {0.25, 0.5, 0.75},
        .range = {.lowest = 0, .highest = 1, .below_highest = true},
        .sentence = "T / N: which share of the tokens was cached before the context grew to N; T is rounded down, and "
                    "at least 1"}},
      {&CacheConsistency::dtype, dtype_axis()},
  };
}

Index CacheConsistency::tokens_of(double share) const {
  return std::max(Index{1}, static_cast<Index>(whole_share(share, static_cast<double>(length))));
}

std::vector<Index> CacheConsistency::odd_cached() const {
  const Index N = length, half = N / 2;
  return lengths_within(
      1, N - 1, {half - 1, half, half + 1, half + 2, last_prime(2, 2 * N / 3), drawn_length(N / 4 + 1, N - 1), N - 1});
}

namespace {

using base::Array;
using Policy = data::Placement::Policy;

template <class S>
Change change_of_contents(const ExperimentInput& input, const Setting<S>& setting, Index C, Index T) {
  const Index N = setting.positions.shape[0], H = input.scheme.model().heads, K = input.scheme.model().head_width();
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

// What becomes of the logits, by T.
struct Curves {
  std::vector<double> largest, root_mean_square, moved, past;

  void add(const Change& change) {
    largest.push_back(change.largest);
    root_mean_square.push_back(std::sqrt(change.squares / change.pairs));
    moved.push_back(change.moved / change.queries);
    past.push_back(change.past);
  }
};

template <class S>
void measure(const CacheConsistency& at, const ExperimentInput& input, Output& out) {
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
  const Array<double> positions = input.positions(at.length);
  const Setting<S> setting{input.scheme, views, positions};
  const Policy policy = input.placement.policy;
  const bool has_rows =
      input.scheme.has(host::Operation::bias) && (policy == Policy::plain || policy == Policy::shifted);
  const std::vector<double> shares = rising(at.cached);
  Curves curves, odd;
  std::vector<double> reused;
  for (const double share : shares) {
    const Index T = at.tokens_of(share);
    curves.add(change_of_contents(input, setting, at.contents, T));
    if (has_rows) reused.push_back(reused_bias_change(setting, T));
  }
  const std::vector<Index> odd_cached = at.odd_cached();
  for (const Index T : odd_cached) odd.add(change_of_contents(input, setting, at.contents, T));
  out.coordinate<Cached>(shares);
  out.coordinate<OddCached>({odd_cached.begin(), odd_cached.end()});
  out.set(CacheConsistency::cached_error, curves.largest);
  out.set(CacheConsistency::cached_error_rms, curves.root_mean_square);
  out.set(CacheConsistency::attention_moved, curves.moved);
  out.set(CacheConsistency::past_error, curves.past);
  out.set(CacheConsistency::odd_cached_error, odd.largest);
  out.set(CacheConsistency::odd_attention_moved, odd.moved);
  out.set(CacheConsistency::odd_past_error, odd.past);
  if (has_rows) out.set(CacheConsistency::reused_bias_error, reused);
}

}  // namespace

void CacheConsistency::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

std::optional<base::Refusal> CacheConsistency::why_skip(const experiments::Setting& of) const {
  if (length < 2)
    return fmt::format(
        "a context of length = {} has no token before its last one whose key could be cached: it needs "
        "at least 2",
        length);
  if (cached.empty()) return "the list of shares `cached` is empty: there is no context that grows";
  if (auto refusal = why_not_finite(of.scheme, "differences of its logits mean nothing")) return refusal;
  return of.why_not_attended(true, length);
}

// A content as drawn, as coded in both contexts and as a decoder holds it, with the logits of some queries twice.
data::Estimate CacheConsistency::estimate(const experiments::Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [N, C, M] = reckoned(length, contents, std::min(length, queries_looked_at));
  double steps = 0;
  std::vector<Index> shorter = odd_cached();
  for (const double share : cached) shorter.push_back(tokens_of(share));
  for (const Index T : shorter) {
    const double both = N + static_cast<double>(T);
    steps += C * (needs.draw(2 * N * needs.D) + needs.code(both) + 2 * needs.attend(M * both) +
                  2 * needs.softmax(M * N) + 12 * needs.H * M * both);
  }
  return {at_once(C) * needs.bytes * (10 * N * needs.D + needs.H * M * N + needs.logits(M, N)), steps};
}

}  // namespace cache_consistency

Experiment make_cache_consistency() { return experiment_of<cache_consistency::CacheConsistency>(); }

}  // namespace poslab::experiments
