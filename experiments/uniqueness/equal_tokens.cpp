// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, C contents, D model width, H heads, K head width.
#include "equal_tokens.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/attention/logits.hpp"
#include "poslab/numerics/closest_pair.hpp"

namespace poslab::experiments::uniqueness {

using base::Array;
using base::Index;
using base::View;

namespace {

// The logits [N, H] of the query against all keys, where every token is x [D]. Projections are identities: each head's
// query and key are its part of x.
template <class S>
Array<S> logits_of_query(const host::Scheme& scheme, const host::Context& context, View<const double> positions,
                         Index query, std::span<const View<const S>> weights, const S* x) {
  const Index N = positions.shape[0], D = scheme.model().model_width, H = scheme.model().heads, K = D / H;
  Array<S> heads{H, N, K}, input{N, D}, logits{H, 1, N}, rows{N, H};
  for (Index n = 0; n < N; ++n) {
    std::copy_n(x, D, &input(n, 0));
    for (Index h = 0; h < H; ++h) std::copy_n(x + h * K, K, &heads(h, n, 0));
  }
  const attention::Transformed<S> transformed =
      attention::transform<S>(scheme, context, positions, {heads, heads, input}, weights);
  attention::logits<S>(scheme, context, positions, transformed, input, query, weights, logits);
  for (Index n = 0; n < N; ++n)
    for (Index h = 0; h < H; ++h) rows(n, h) = logits(h, 0, n);
  return rows;
}

}  // namespace

template <class S>
EqualTokens equal_tokens(const host::Scheme& scheme, const host::Context& context, View<const double> positions,
                         Index query, std::span<const View<const S>> weights, const Array<S>& tokens,
                         double tolerance) {
  const auto N = static_cast<double>(positions.shape[0]), C = static_cast<double>(tokens.extent(0));
  EqualTokens mean;
  for (Index c = 0; c < tokens.extent(0); ++c) {
    const Array<S> logits = logits_of_query<S>(scheme, context, positions, query, weights, &tokens(c, 0));
    const numerics::Neighbours found =
        numerics::nearest_neighbours<S>(logits, numerics::Radius::share_of_norms<S>(tolerance, logits));
    mean.distinct += static_cast<double>(found.distinct) / C;
    mean.told_apart += (1 - found.collisions / (N * (N - 1) / 2)) / C;
  }
  if (N < 2) mean.told_apart = std::numeric_limits<double>::quiet_NaN();
  return mean;
}

template EqualTokens equal_tokens(const host::Scheme&, const host::Context&, View<const double>, Index,
                                  std::span<const View<const double>>, const Array<double>&, double);
template EqualTokens equal_tokens(const host::Scheme&, const host::Context&, View<const double>, Index,
                                  std::span<const View<const float>>, const Array<float>&, double);

}  // namespace poslab::experiments::uniqueness
