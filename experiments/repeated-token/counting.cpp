// SPDX-License-Identifier: Apache-2.0
#include "counting.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/attention/attention.hpp"
#include "poslab/numerics/inner_product.hpp"

namespace poslab::experiments::repeated_token {
namespace {

using base::Array;
using base::Index;
using base::View;

// [N, D]: BOS, then the same random word over and over.
Array<double> words(const ExperimentInput& input, Index N) {
  const Index D = input.scheme.model().model_width;
  const Array<double> word = input.draws.normal("word", {2, D});
  Array<double> x{N, D};
  for (Index t = 0; t < N; ++t) {
    for (Index c = channels_to_count; c < D; ++c) x(t, c) = word(t == 0 ? 0 : 1, c);
    x(t, 0) = 1;
    x(t, 1) = t == 0 ? 1 : 0;
  }
  return x;
}

// The scheme's codes are added to states and stay in them, layer by layer.
void add_codes(const ExperimentInput& input, View<const double> positions, const host::Weights<double>& weights,
               Array<double>& x) {
  if (!input.scheme.has(host::Operation::encode)) return;
  const Index N = x.extent(0);
  Array<double> codes{N, x.extent(1)};
  input.scheme.encode<double>({N, N, true}, positions, weights.layer(0), codes);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += codes.data()[i];
}

}  // namespace

double error_of_counting(const ExperimentInput& input, const host::Weights<double>& weights, Index N) {
  const Index D = input.scheme.model().model_width, H = input.scheme.model().heads, K = D / H;
  const Array<double> positions = input.positions(N), W = input.draws.normal("query of the count", {D, D});
  Array<double> x = words(input, N);
  add_codes(input, positions, weights, x);
  Array<double> query{H, N, K}, key{H, N, K}, value{H, N, K}, out{H, N, K};
  for (Index h = 0; h < H; ++h)
    for (Index t = 0; t < N; ++t) {
      for (Index a = 0; a < K; ++a) {
        query(h, t, a) = numerics::inner_product(&x(t, 0), &W(h * K + a, 0), D) / std::sqrt(static_cast<double>(D));
        key(h, t, a) = x(t, 0);
      }
      value(h, t, 0) = x(t, 1);
    }
  attention::attend<double>({&input.scheme, {N, N, true}, positions, weights.layer(0)}, {query, key, x}, value, out);
  double worst = 0;
  for (Index h = 0; h < H; ++h)
    for (Index t = 0; t < N; ++t)
      worst = std::max(worst, std::abs(x(t, 2) + out(h, t, 0) - 1 / static_cast<double>(t + 1)));
  return worst;
}

double error_of_distances(const ExperimentInput& input, const host::Weights<double>& weights, Index N) {
  const Index H = input.scheme.model().heads, K = input.scheme.model().head_width();
  const Array<double> positions = input.positions(N);
  Array<double> x = words(input, N);
  for (Index t = 0; t < N; ++t) x(t, 2) = static_cast<double>(t + 1);
  add_codes(input, positions, weights, x);
  Array<double> query = input.draws.normal("query of the distance", {H, N, K}),
                key = input.draws.normal("key of the distance", {H, N, K});
  for (Index h = 0; h < H; ++h)
    for (Index t = 0; t < N; ++t) {
      query(h, t, 0) = x(t, 0), query(h, t, 1) = -x(t, 2);
      key(h, t, 0) = x(t, 2), key(h, t, 1) = x(t, 0);
    }
  const attention::Layer<double> layer{&input.scheme, {N, N, true}, positions, weights.layer(0), 0, 1.0};
  const attention::Transformed<double> transformed =
      attention::transform<double>(input.scheme, layer.context, positions, {query, key, x}, layer.weights);
  double worst = 0;
  for (Index first = 0; first < N; first += attention::queries_per_tile) {
    const Index Nq = std::min(attention::queries_per_tile, N - first);
    Array<double> logits{H, Nq, N};
    attention::logits<double>(input.scheme, layer.context, positions, transformed, x, first, layer.weights, logits,
                              1.0);
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i)
        for (Index j = 0; j <= first + i; ++j) {
          const double content = numerics::inner_product(query.data() + ((h * N + first + i) * K + 2),
                                                         key.data() + ((h * N + j) * K + 2), K - 2);
          const double wanted = content - static_cast<double>(first + i - j);
          worst = std::max(worst, std::abs(logits(h, i, j) - wanted));
        }
  }
  return worst / static_cast<double>(N);
}

}  // namespace poslab::experiments::repeated_token
