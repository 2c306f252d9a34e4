// SPDX-License-Identifier: Apache-2.0
#include "contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/attention/coded.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments::order_inversion {
namespace {

// One vector a head [H, K], for each of N tokens.
template <class S>
Array<S> repeated(const Array<S>& one, Index N) {
  const Index H = one.extent(0), K = one.extent(1);
  Array<S> all{H, N, K};
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n) std::copy_n(&one(h, 0), K, &all(h, n, 0));
  return all;
}

}  // namespace

template <class S>
std::vector<std::vector<double>> logits_by_distance(const ExperimentInput& input, View<const double> positions,
                                                    std::span<const View<const S>> weights, Keys keys, Index content,
                                                    const char* which) {
  const host::Scheme& scheme = input.scheme;
  const Index N = positions.shape[0], H = scheme.model().heads, K = scheme.model().head_width();
  const Array<S> query = repeated<S>(as<S>(input.draws.normal(fmt::format("query of content {}", content), {H, K})), N);
  const std::string purpose = fmt::format("{}key of content {}", which, content);
  const Array<S> key = keys == Keys::equal    ? query.copy()
                       : keys == Keys::random ? as<S>(input.draws.normal(purpose, {H, N, K}))
                                              : repeated<S>(as<S>(input.draws.normal(purpose, {H, K})), N);
  const host::Context context{N, scheme.model().train_length, true};
  const attention::Coded<S> coded = attention::coded<S>(scheme, context, positions, weights, query, key);
  Array<S> row{H, 1, N};
  attention::logits<S>(scheme, context, positions, coded.transformed, coded.layer_input, N - 1, weights, row);
  std::vector<std::vector<double>> heads;
  for (Index h = 0; h < H; ++h) {
    std::vector<double>& by_distance = heads.emplace_back();
    for (Index r = 0; r < N; ++r) {
      by_distance.push_back(static_cast<double>(row(h, 0, N - 1 - r)));
      if (!std::isfinite(by_distance.back()))
        throw data::not_finite("a logit", fmt::format("distance {}", r), by_distance.back());
    }
  }
  return heads;
}

#define POSLAB_FOR(S)                                              \
  template std::vector<std::vector<double>> logits_by_distance<S>( \
      const ExperimentInput&, View<const double>, std::span<const View<const S>>, Keys, Index, const char*);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::order_inversion
