// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N tokens, H heads, K head width, C contents.
#include "extremes.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "poslab/attention/coded.hpp"
#include "poslab/data/refusal.hpp"

namespace poslab::experiments::softmax_resolution {
namespace {

using base::Array;

// The rows of one content, one a head.
template <class S>
std::vector<Row> rows_of(const ExperimentInput& input, View<const double> positions,
                         std::span<const View<const S>> weights, Index content, double bound) {
  const host::Scheme& scheme = input.scheme;
  const Index N = positions.shape[0], H = scheme.model().heads, K = scheme.model().head_width();
  const Array<double> drawn = input.draws.normal(fmt::format("content {}", content), {H, K});
  Array<S> contents{H, N, K};
  for (Index h = 0; h < H; ++h) {
    double squares = 0;
    for (Index a = 0; a < K; ++a) squares += drawn(h, a) * drawn(h, a);
    const double factor = std::sqrt(bound * std::sqrt(static_cast<double>(K)) / squares);
    for (Index n = 0; n < N; ++n)
      for (Index a = 0; a < K; ++a) contents(h, n, a) = static_cast<S>(factor * drawn(h, a));
  }
  const host::Context context{N, scheme.model().train_length, true};
  const attention::Coded<S> coded =
      attention::coded<S>(scheme, context, positions, weights, contents.view(), contents.view());
  Array<S> logits{H, 1, N};
  attention::logits<S>(scheme, context, positions, coded.transformed, coded.layer_input, N - 1, weights, logits);
  std::vector<Row> rows;
  for (Index h = 0; h < H; ++h) {
    std::vector<double> by_distance;
    for (Index r = 0; r < N; ++r) {
      by_distance.push_back(static_cast<double>(logits(h, 0, N - 1 - r)));
      if (!std::isfinite(by_distance.back()))
        throw data::not_finite("a logit", fmt::format("distance {}", r), by_distance.back());
    }
    rows.push_back(row_of(by_distance));
  }
  return rows;
}

}  // namespace

void Extremes::add(const Row& row) {
  gaps.resize(row.gaps.size());
  for (std::size_t r = 0; r < gaps.size(); ++r) gaps[r] = std::max(gaps[r], row.gaps[r]);
  least = std::min(least, row.least);
  most = std::max(most, row.largest);
  range = std::max(range, row.range);
}

double Extremes::largest_gap() const { return gaps.empty() ? 0 : *std::max_element(gaps.begin(), gaps.end()); }

template <class S>
Extremes extremes(const ExperimentInput& input, View<const double> positions, std::span<const View<const S>> weights,
                  Index C, double bound) {
  std::vector<std::vector<Row>> of_contents(static_cast<std::size_t>(C));
  tbb::parallel_for(Index{0}, C, [&](Index c) {
    of_contents[static_cast<std::size_t>(c)] = rows_of<S>(input, positions, weights, c, bound);
  });
  Extremes all;
  for (const std::vector<Row>& rows : of_contents)
    for (const Row& row : rows) all.add(row);
  return all;
}

#define POSLAB_FOR(S)                                                                                              \
  template Extremes extremes<S>(const ExperimentInput&, View<const double>, std::span<const View<const S>>, Index, \
                                double);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::softmax_resolution
