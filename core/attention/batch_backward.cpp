// SPDX-License-Identifier: Apache-2.0
// The backward pass of a batch's attention. With A = softmax(L), L = scale * q.k + bias and score, out = transform(A v
// + mix):
//   dv = A^T dout;  dA = dout v^T, and mix's;  dL = A (dA - sum_j A dA);  dq = scale dL k, dk = scale dL^T q
#include <algorithm>
#include <iterator>

#include "batch_tiles.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/attention/heads.hpp"
#include "poslab/attention/softmax.hpp"
#include "poslab/numerics/inner_product.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::attention {

using host::Operation;

namespace {

// The queries of a tile from the first to the last one whose output has a gradient [B, N, D] in any sequence: the
// others pass nothing on. Where only the last token is asked, that is one query.
template <class S>
BatchTile with_gradient(BatchTile tile, View<const S> out_gradient) {
  const Index B = out_gradient.shape[0];
  const auto is_zero = [&](Index n) {
    for (Index b = 0; b < B; ++b) {
      const View<const S> row = out_gradient[b].rows(n, 1);
      if (std::any_of(row.begin(), row.end(), [](S number) { return number != 0; })) return false;
    }
    return true;
  };
  while (tile.count > 0 && is_zero(tile.first)) ++tile.first, --tile.count;
  while (tile.count > 0 && is_zero(tile.first + tile.count - 1)) --tile.count;
  return tile;
}

// dA [H, Nq, Nk] becomes dL = A (dA - sum_j A dA).
template <class S>
void softmax_backward(View<const S> attention, View<S> gradient) {
  const Index Nk = attention.shape[2];
  for (Index r = 0; r < attention.shape[0] * attention.shape[1]; ++r) {
    const S* a = attention.data + r * Nk;
    S* g = gradient.data + r * Nk;
    const S mean = static_cast<S>(numerics::inner_product(a, g, Nk));
    for (Index j = 0; j < Nk; ++j) g[j] = a[j] * (g[j] - mean);
  }
}

}  // namespace

bool has_gradients(const host::Scheme& scheme) {
  return std::all_of(std::begin(host::all_operations), std::end(host::all_operations),
                     [&](Operation operation) { return !scheme.has(operation) || scheme.has_gradient(operation); });
}

template <class S>
void BatchAttention<S>::score_backward(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile,
                                       Index sequence, Lane& lane, View<const S> logits_gradient,
                                       const BatchGradients<S>& gradients) {
  const Index Nq = tile.count, Nk = tile.keys;
  View<S> query_gradient(lane.query_gradient.data(), {heads_, Nq, head_width_}),
      key_gradient(lane.key_gradient.data(), {heads_, Nk, head_width_});
  std::fill(query_gradient.begin(), query_gradient.end(), S(0));
  std::fill(key_gradient.begin(), key_gradient.end(), S(0));
  const View<S> input = gradients.layer_input[sequence].rows(0, Nk);
  scheme_->template score_gradient<S>(
      layer.context, tile.of(layer.positions),
      {contents.layer_input[sequence].rows(0, Nk), rows_in(contents.query[sequence], tile.first, Nq, lane.query),
       rows_in(contents.key[sequence], 0, Nk, lane.key), scale_of(layer, head_width_)},
      layer.weights, logits_gradient, {input, query_gradient, key_gradient}, lane.weight_gradient_views, layer.index);
  for (Index h = 0; h < heads_; ++h) {
    base::add_to<S>(gradients.query[sequence][h].rows(tile.first, Nq), query_gradient[h]);
    base::add_to<S>(gradients.key[sequence][h].rows(0, Nk), key_gradient[h]);
  }
}

// The gradient [H, Nq, K] by the outputs becomes that by the mixed values.
template <class S>
void BatchAttention<S>::output_backward(const Layer<S>& layer, const BatchTile& tile, View<const S> attention,
                                        View<const S> values, Lane& lane, View<S> gradient) const {
  if (!transforms(host::Side::output)) return;
  View<S> mixed;
  if (lanes_learn_) {
    mixed = View<S>(lane.mixed.data(), {heads_, tile.count, head_width_});
    mix_values(layer, tile, attention, values, mixed);
  }
  scheme_->template transform_gradient<S>(layer.context, host::Side::output,
                                          layer.positions.rows(tile.first, tile.count), layer.weights, gradient,
                                          lane.weight_gradient_views, mixed, layer.index);
}

template <class S>
void BatchAttention<S>::backward_tile(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile,
                                      Index sequence, Lane& lane, View<const S> out_gradient,
                                      const BatchGradients<S>& gradients) {
  const Index H = heads_, Nq = tile.count, Nk = tile.keys, K = head_width_;
  const View<const S> attention = attention_of(layer, contents, tile, sequence, strip_, lane);
  View<S> rows(lane.rows.data(), {H, Nq, K}), gradient(lane.attention_gradient.data(), {H, Nq, Nk});
  to_heads<S>(out_gradient[sequence].rows(tile.first, Nq), 0, batch_of_one(rows));
  output_backward(layer, tile, attention, contents.value[sequence], lane, rows);
  for (Index h = 0; h < H; ++h) {
    numerics::multiply_rows<S>(rows[h], contents.value[sequence][h].rows(0, Nk), S(1), gradient[h].data);
    numerics::add_products_of_columns<S>(attention[h], rows[h], S(1), gradients.value[sequence][h].data);
  }
  if (has(Operation::mix))
    scheme_->template mix_gradient<S>(layer.context, tile.of(layer.positions), attention, layer.weights, rows, gradient,
                                      lane.weight_gradient_views, layer.index);
  softmax_backward<S>(attention, gradient);
  if (has(Operation::score)) score_backward(layer, contents, tile, sequence, lane, gradient, gradients);
  if (scheme_ && scheme_->score_writes_logits()) return;  // nothing of scale * q.k + bias is left in them
  if (bias_learns_) base::add_to<S>(View<S>(lane.bias_gradient.data(), {H, Nq, Nk}), gradient);
  const auto scale = static_cast<S>(scale_of(layer, K));
  const View<const S> query = contents.query[sequence], key = contents.key[sequence];
  for (Index h = 0; h < H; ++h) {
    numerics::add_product<S>(gradient[h], key[h].rows(0, Nk), scale,
                             gradients.query[sequence][h].rows(tile.first, Nq).data);
    numerics::add_products_of_columns<S>(gradient[h], query[h].rows(tile.first, Nq), scale,
                                         gradients.key[sequence][h].data);
  }
}

template <class S>
void BatchAttention<S>::add_up_bias(const Layer<S>& layer, const BatchTile& tile, Index lanes,
                                    std::span<const View<S>> weight_gradients) {
  if (!bias_learns_ || scheme_->score_writes_logits()) return;
  View<S> sum(bias_gradient_.data(), {heads_, tile.count, tile.keys});
  std::fill(sum.begin(), sum.end(), S(0));
  for (Index lane = 0; lane < lanes; ++lane)
    base::add_to<S>(sum, {strip_.lanes[static_cast<std::size_t>(lane)].bias_gradient.data(), 3, sum.shape});
  scheme_->template bias_gradient<S>(layer.context, tile.of(layer.positions), layer.weights, sum, weight_gradients,
                                     layer.index);
}

template <class S>
void BatchAttention<S>::transform_backward(const Layer<S>& layer, const BatchContents<S>& contents,
                                           const BatchGradients<S>& gradients) {
  if (!has(Operation::transform)) return;
  for_each_lane(gradients.query.shape[0], [&](Index lane, Index sequence) {
    const std::vector<View<S>>& weights = strip_.lanes[static_cast<std::size_t>(lane)].weight_gradient_views;
    const auto side = [&](host::Side which, View<S> gradient, View<const S> before) {
      scheme_->template transform_gradient<S>(layer.context, which, layer.positions, layer.weights, gradient[sequence],
                                              weights, before.data ? before[sequence] : before, layer.index);
    };
    side(host::Side::query, gradients.query, contents.query_before);
    side(host::Side::key, gradients.key, contents.key_before);
    side(host::Side::value, gradients.value, contents.value_before);
  });
}

template <class S>
void BatchAttention<S>::backward(const Layer<S>& layer, const BatchContents<S>& contents, View<const S> out_gradient,
                                 const BatchGradients<S>& gradients, std::span<const View<S>> weight_gradients) {
  const Index B = out_gradient.shape[0], lanes = std::min(B, max_lanes);
  for (const View<S>& sums : {gradients.query, gradients.key, gradients.value})
    std::fill(sums.begin(), sums.end(), S(0));
  for (Lane& lane : strip_.lanes)
    for (Array<S>& sums : lane.weight_gradients) sums.fill(0);
  const Index N = layer.positions.shape[0];
  for (Index t = 0; t < tiles_of(N); ++t) {
    const BatchTile tile = with_gradient(batch_tile(t, N, layer.context.causal), out_gradient);
    if (tile.count == 0) continue;
    make_bias(layer, tile, strip_);
    for (Lane& lane : strip_.lanes)
      std::fill_n(lane.bias_gradient.data(), bias_learns_ ? heads_ * tile.count * tile.keys : 0, S(0));
    for_each_lane(B, [&](Index lane, Index sequence) {
      backward_tile(layer, contents, tile, sequence, strip_.lanes[static_cast<std::size_t>(lane)], out_gradient,
                    gradients);
    });
    add_up_bias(layer, tile, lanes, weight_gradients);
  }
  transform_backward(layer, contents, gradients);
  if (!lanes_learn_) return;
  for (Index lane = 0; lane < lanes; ++lane)
    for (std::size_t w = 0; w < weight_gradients.size(); ++w)
      base::add_to<S>(weight_gradients[w], strip_.lanes[static_cast<std::size_t>(lane)].weight_gradients[w]);
}

#define POSLAB_FOR(S)                                                                                \
  template void BatchAttention<S>::backward(const Layer<S>&, const BatchContents<S>&, View<const S>, \
                                            const BatchGradients<S>&, std::span<const View<S>>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
