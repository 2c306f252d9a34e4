// SPDX-License-Identifier: Apache-2.0
// The attention layer from its definition, one query at a time: no tiles, no blocks, no matrix products.
#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/attention/attention.hpp"

namespace poslab::attention {
namespace {

template <class S>
Array<S> copy_of(View<const S> x) {
  Array<S> out(x.rank, x.shape);
  std::copy(x.begin(), x.end(), out.data());
  return out;
}

template <class S>
void transform_side(const Layer<S>& layer, host::Side side, host::Positions positions, View<S> x) {
  if (layer.scheme && layer.scheme->transforms(side))
    layer.scheme->template transform<S>(layer.context, side, positions, layer.weights, x, layer.index);
}

// The unmasked logits [H, 1, N] of the query at index m.
template <class S>
Array<S> logits_of(const Layer<S>& layer, View<const S> query, View<const S> key, View<const S> layer_input, Index m) {
  const Index H = query.shape[0], N = query.shape[1], K = query.shape[2];
  const double own = layer.scheme ? layer.scheme->logit_scale() : 1 / std::sqrt(static_cast<double>(K));
  const double scale = layer.scale.value_or(own);
  Array<S> q{H, 1, K}, logits{H, 1, N};
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n) {
      S product = 0;
      for (Index a = 0; a < K; ++a) product += (q(h, 0, a) = query(h, m, a)) * key(h, n, a);
      logits(h, 0, n) = static_cast<S>(scale) * product;
    }
  if (!layer.scheme) return logits;
  const host::Tile tile{layer.positions.rows(m, 1), layer.positions, m};
  if (layer.scheme->has(host::Operation::bias)) {
    Array<S> bias{H, 1, N};
    layer.scheme->template bias<S>(layer.context, tile, layer.weights, bias, layer.index);
    for (Index i = 0; i < bias.size(); ++i) logits.data()[i] += bias.data()[i];
  }
  if (layer.scheme->has(host::Operation::score))
    layer.scheme->template score<S>(layer.context, tile, {layer_input, q, key, scale}, layer.weights, logits,
                                    layer.index);
  return logits;
}

}  // namespace

template <class S>
Array<S> attend_reference(const Layer<S>& layer, const Content<S>& content, View<const S> values, View<S> out) {
  const Index H = out.shape[0], N = out.shape[1], K = out.shape[2];
  Array<S> query = copy_of(content.query), key = copy_of(content.key), value = copy_of(values), all{H, N, N};
  transform_side<S>(layer, host::Side::query, layer.positions, query);
  transform_side<S>(layer, host::Side::key, layer.positions, key);
  transform_side<S>(layer, host::Side::value, layer.positions, value);
  for (Index m = 0; m < N; ++m) {
    Array<S> attention = logits_of<S>(layer, query, key, content.layer_input, m), row{H, 1, K};
    for (Index h = 0; h < H; ++h) {
      S largest = -std::numeric_limits<S>::infinity(), sum = 0;
      for (Index n = 0; n < N; ++n) {
        if (layer.context.causal && n > m) attention(h, 0, n) = -std::numeric_limits<S>::infinity();
        largest = std::max(largest, attention(h, 0, n));
      }
      for (Index n = 0; n < N; ++n) sum += attention(h, 0, n) = std::exp(attention(h, 0, n) - largest);
      for (Index n = 0; n < N; ++n) all(h, m, n) = attention(h, 0, n) /= sum;
      for (Index n = 0; n < N; ++n)
        for (Index a = 0; a < K; ++a) row(h, 0, a) += attention(h, 0, n) * value(h, n, a);
    }
    if (layer.scheme && layer.scheme->has(host::Operation::mix))
      layer.scheme->template mix<S>(layer.context, {layer.positions.rows(m, 1), layer.positions, m}, attention,
                                    layer.weights, row, layer.index);
    transform_side<S>(layer, host::Side::output, layer.positions.rows(m, 1), row);
    for (Index h = 0; h < H; ++h)
      for (Index a = 0; a < K; ++a) out(h, m, a) = row(h, 0, a);
  }
  return all;
}

template Array<float> attend_reference<float>(const Layer<float>&, const Content<float>&, View<const float>,
                                              View<float>);
template Array<double> attend_reference<double>(const Layer<double>&, const Content<double>&, View<const double>,
                                                View<double>);

}  // namespace poslab::attention
