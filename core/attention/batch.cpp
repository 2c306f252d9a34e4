// SPDX-License-Identifier: Apache-2.0
// The memory, tiles, lanes and forward pass of a batch's attention.
#include "poslab/attention/batch.hpp"

#include <algorithm>

#include "batch_tiles.hpp"
#include "poslab/attention/softmax.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::attention {

using host::Operation;

namespace {

Index queries_of(const BatchSize& largest) { return std::min(largest.length, queries_per_tile); }
Index lanes_of(Index sequences) { return std::min(sequences, most_lanes); }

}  // namespace

template <class S>
BatchAttention<S>::BatchAttention(const host::Scheme* scheme, const BatchSize& largest, bool with_gradient)
    : scheme_(scheme), heads_(largest.heads), head_width_(largest.head_width) {
  const Index H = heads_, N = largest.length, K = head_width_, Nq = queries_of(largest);
  const bool learns = with_gradient && scheme && scheme->has_trainable_weights();
  bias_learns_ = learns && has(Operation::bias);
  lanes_learn_ = learns && (has(Operation::transform) || has(Operation::score) || has(Operation::mix));
  if (has(Operation::bias)) bias_ = Array<S>{H, Nq, N};
  if (bias_learns_) bias_gradient_ = Array<S>{H, Nq, N};
  lanes_.resize(static_cast<std::size_t>(lanes_of(largest.sequences)));
  for (Lane& lane : lanes_) {
    lane.attention = Array<S>{H, Nq, N};
    lane.query = Array<S>{H, Nq, K};
    lane.rows = Array<S>{H, Nq, K};
    if (has(Operation::score)) lane.key = Array<S>{H, N, K};
    if (!with_gradient) continue;
    lane.attention_gradient = Array<S>{H, Nq, N};
    if (bias_learns_) lane.bias_gradient = Array<S>{H, Nq, N};
    lane.query_gradient = Array<S>{H, Nq, K};
    if (has(Operation::score)) lane.key_gradient = Array<S>{H, N, K};
    if (lanes_learn_)
      for (const host::WeightInfo& weight : scheme->weights())
        lane.weight_gradient_views.push_back(lane.weight_gradients.emplace_back(weight.rank, weight.shape));
  }
}

template <class S>
double BatchAttention<S>::numbers(const host::Scheme* scheme, const BatchSize& largest, bool with_gradient) {
  const auto H = static_cast<double>(largest.heads), N = static_cast<double>(largest.length),
             K = static_cast<double>(largest.head_width), Nq = static_cast<double>(queries_of(largest)),
             lanes = static_cast<double>(lanes_of(largest.sequences));
  double weights = 0;
  if (scheme && with_gradient)
    for (const host::WeightInfo& weight : scheme->weights()) {
      double numbers = 1;
      for (const Index extent : weight.shape) numbers *= static_cast<double>(extent);
      weights += numbers;
    }
  return H * Nq * N * (2 + lanes * (with_gradient ? 3 : 1)) + lanes * (H * K * (3 * Nq + 2 * N) + weights);
}

template <class S>
void BatchAttention<S>::transform(const Layer<S>& layer, View<S> query, View<S> key) {
  if (!has(Operation::transform)) return;
  for_each_lane(query.shape[0], [&](Index, Index sequence) {
    scheme_->template transform<S>(layer.context, host::Side::query, layer.positions, layer.weights, query[sequence],
                                   layer.index);
    scheme_->template transform<S>(layer.context, host::Side::key, layer.positions, layer.weights, key[sequence],
                                   layer.index);
  });
}

template <class S>
void BatchAttention<S>::make_bias(const Layer<S>& layer, const BatchTile& tile) {
  if (!has(Operation::bias)) return;
  scheme_->template bias<S>(layer.context, tile.of(layer.positions), layer.weights,
                            View<S>(bias_.data(), {heads_, tile.count, tile.keys}), layer.index);
}

template <class S>
View<S> BatchAttention<S>::attention_of(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile,
                                        Index sequence, Lane& lane) {
  const Index Nq = tile.count, Nk = tile.keys;
  const double scale = scale_of(layer, head_width_);
  const View<const S> queries = rows_in(contents.query[sequence], tile.first, Nq, lane.query);
  View<S> logits(lane.attention.data(), {heads_, Nq, Nk});
  scaled_products<S>(queries, contents.key[sequence], scale, logits);
  if (has(Operation::bias))
    for (Index i = 0; i < logits.size(); ++i) logits.data[i] += bias_.data()[i];
  if (has(Operation::score))
    scheme_->template score<S>(
        layer.context, tile.of(layer.positions),
        {contents.layer_input[sequence].rows(0, Nk), queries, rows_in(contents.key[sequence], 0, Nk, lane.key), scale},
        layer.weights, logits, layer.index);
  masked_softmax<S>(logits, tile.first, layer.context.causal);
  return logits;
}

template <class S>
void BatchAttention<S>::forward_tile(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile,
                                     Index sequence, Lane& lane, View<S> out) {
  const Index Nq = tile.count, Nk = tile.keys;
  const View<const S> attention = View<const S>(View<S>(lane.attention.data(), {heads_, Nq, Nk})),
                      values = contents.value[sequence];
  View<S> rows(lane.rows.data(), {heads_, Nq, head_width_});
  for (Index h = 0; h < heads_; ++h) numerics::multiply<S>(attention[h], values[h].rows(0, Nk), rows[h].data);
  if (has(Operation::mix))
    scheme_->template mix<S>(layer.context, tile.of(layer.positions), attention, layer.weights, rows, layer.index);
  heads_side_by_side<S>(rows, out[sequence].rows(tile.first, Nq));
}

template <class S>
void BatchAttention<S>::forward(const Layer<S>& layer, const BatchContents<S>& contents, View<S> out,
                                const BatchVisitor<S>& visit) {
  for_each_batch_tile(layer.positions.shape[0], layer.context.causal, [&](const BatchTile& tile) {
    make_bias(layer, tile);
    for_each_lane(out.shape[0], [&](Index lane, Index sequence) {
      Lane& mine = lanes_[static_cast<std::size_t>(lane)];
      const View<S> attention = attention_of(layer, contents, tile, sequence, mine);
      forward_tile(layer, contents, tile, sequence, mine, out);
      if (visit) visit(sequence, tile.first, attention);
    });
  });
}

template class BatchAttention<float>;
template class BatchAttention<double>;

}  // namespace poslab::attention
