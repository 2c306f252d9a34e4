// SPDX-License-Identifier: Apache-2.0
// The memory, tiles, lanes and forward pass of a batch's attention.
#include "poslab/attention/batch.hpp"

#include <tbb/task_arena.h>

#include <algorithm>

#include "batch_tiles.hpp"
#include "poslab/attention/heads.hpp"
#include "poslab/attention/softmax.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::attention {

using host::Operation;

namespace {

Index queries_of(const BatchSize& largest) { return std::min(largest.length, queries_per_tile); }
Index lanes_of(Index sequences) { return std::min(sequences, max_lanes); }

// Tiles that a forward pass has at work: as many as leave every thread a lane.
Index strips_of(const BatchSize& largest, Index N) {
  return std::max<Index>(1, std::min(tiles_of(N), max_lanes / std::max<Index>(1, lanes_of(largest.sequences))));
}

}  // namespace

template <class S>
typename BatchAttention<S>::Strip BatchAttention<S>::make_strip(Index lanes, bool with_gradient) const {
  const Index H = heads_, N = largest_.length, K = head_width_, Nq = queries_of(largest_);
  Strip strip;
  if (has(Operation::bias)) strip.bias = Array<S>{H, Nq, N};
  strip.lanes.resize(static_cast<std::size_t>(lanes));
  for (Lane& lane : strip.lanes) {
    lane.attention = Array<S>{H, Nq, N};
    lane.query = Array<S>{H, Nq, K};
    lane.rows = Array<S>{H, Nq, K};
    if (!with_gradient) continue;
    if (lanes_learn_ && transforms(host::Side::output)) lane.mixed = Array<S>{H, Nq, K};
    lane.attention_gradient = Array<S>{H, Nq, N};
    if (bias_learns_) lane.bias_gradient = Array<S>{H, Nq, N};
    lane.query_gradient = Array<S>{H, Nq, K};
    if (has(Operation::score))
      for (Array<S>* keys : {&lane.key, &lane.key_gradient}) *keys = Array<S>{H, N, K};
    if (lanes_learn_)
      for (const host::WeightInfo& weight : scheme_->weights())
        lane.weight_gradient_views.push_back(lane.weight_gradients.emplace_back(weight.rank, weight.shape));
  }
  return strip;
}

template <class S>
BatchAttention<S>::BatchAttention(const host::Scheme* scheme, const BatchSize& largest, Gradient gradient)
    : scheme_(scheme), largest_(largest), heads_(largest.heads), head_width_(largest.head_width) {
  const bool learns = gradient == Gradient::all && scheme && scheme->has_trainable_weights();
  bias_learns_ = learns && has(Operation::bias);
  lanes_learn_ = learns && (has(Operation::transform) || has(Operation::score) || has(Operation::mix));
  if (bias_learns_) bias_gradient_ = Array<S>{heads_, queries_of(largest), largest.length};
  strip_ = make_strip(lanes_of(largest.sequences), gradient != Gradient::none);
}

template <class S>
double BatchAttention<S>::numbers(const host::Scheme* scheme, const BatchSize& largest, Gradient gradient) {
  const auto has = [&](Operation operation) { return scheme && scheme->has(operation) ? 1.0 : 0.0; };
  const double H = static_cast<double>(largest.heads), N = static_cast<double>(largest.length),
               K = static_cast<double>(largest.head_width), Nq = static_cast<double>(queries_of(largest)),
               lanes = static_cast<double>(lanes_of(largest.sequences)), tile = H * Nq * N,
               both = gradient == Gradient::none ? 1 : 2;
  const bool learns = gradient == Gradient::all && scheme && scheme->has_trainable_weights();
  const bool keeps_mixed = learns && scheme->transforms(host::Side::output);
  const double learned_bias = learns ? has(Operation::bias) : 0, scored_keys = has(Operation::score) * N;
  double weights = 0;
  if (learns && has(Operation::transform) + has(Operation::score) + has(Operation::mix) > 0)
    for (const host::WeightInfo& weight : scheme->weights()) {
      double numbers = 1;
      for (const Index extent : weight.shape) numbers *= static_cast<double>(extent);
      weights += numbers;
    }
  const auto more_strips = static_cast<double>(  // beside the first, which is kept
      std::min<Index>(strips_of(largest, largest.length) - 1, tbb::this_task_arena::max_concurrency()));
  return tile * (has(Operation::bias) + learned_bias + lanes * (both + learned_bias)) +
         lanes * (H * K * ((1 + both + (keeps_mixed ? 1 : 0)) * Nq + both * scored_keys) + weights) +
         more_strips * (tile * (has(Operation::bias) + lanes) + lanes * H * K * (2 * Nq + scored_keys));
}

template <class S>
void BatchAttention<S>::transform(const Layer<S>& layer, View<S> query, View<S> key, View<S> value) {
  if (!has(Operation::transform)) return;
  for_each_lane(query.shape[0], [&](Index, Index sequence) {
    const auto side = [&](host::Side which, View<S> x) {
      scheme_->template transform<S>(layer.context, which, layer.positions, layer.weights, x[sequence], layer.index);
    };
    side(host::Side::query, query);
    side(host::Side::key, key);
    if (value.data) side(host::Side::value, value);
  });
}

template <class S>
void BatchAttention<S>::make_bias(const Layer<S>& layer, const BatchTile& tile, Strip& strip) const {
  if (!has(Operation::bias)) return;
  scheme_->template bias<S>(layer.context, tile.of(layer.positions), layer.weights,
                            View<S>(strip.bias.data(), {heads_, tile.count, tile.keys}), layer.index);
}

template <class S>
View<S> BatchAttention<S>::attention_of(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile,
                                        Index sequence, const Strip& strip, Lane& lane) const {
  const Index Nq = tile.count, Nk = tile.keys;
  const View<const S> queries = rows_in(contents.query[sequence], tile.first, Nq, lane.query);
  const View<const S> input = contents.layer_input.data ? contents.layer_input[sequence] : View<const S>();
  View<S> attention(lane.attention.data(), {heads_, Nq, Nk});
  logits<S>(layer, queries, contents.key[sequence], input, tile.first, attention,
            {strip.bias.data(), {heads_, Nq, Nk}});
  masked_softmax<S>(attention, tile.first, layer.context.causal);
  return attention;
}

// out [H, Nq, K] = attention . values + mix
template <class S>
void BatchAttention<S>::mix_values(const Layer<S>& layer, const BatchTile& tile, View<const S> attention,
                                   View<const S> values, View<S> out) const {
  for (Index h = 0; h < heads_; ++h) numerics::multiply<S>(attention[h], values[h].rows(0, tile.keys), out[h].data);
  if (has(Operation::mix))
    scheme_->template mix<S>(layer.context, tile.of(layer.positions), attention, layer.weights, out, layer.index);
}

template <class S>
void BatchAttention<S>::forward_tile(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile,
                                     Strip& strip, View<S> out, const AttentionVisitor<S>& visit) const {
  make_bias(layer, tile, strip);
  for_each_lane(contents.query.shape[0], [&](Index number, Index sequence) {
    Lane& lane = strip.lanes[static_cast<std::size_t>(number)];
    const View<S> attention = attention_of(layer, contents, tile, sequence, strip, lane);
    if (contents.value.data) {
      View<S> mixed(lane.rows.data(), {heads_, tile.count, head_width_});
      mix_values(layer, tile, attention, contents.value[sequence], mixed);
      if (transforms(host::Side::output))
        scheme_->template transform<S>(layer.context, host::Side::output, layer.positions.rows(tile.first, tile.count),
                                       layer.weights, mixed, layer.index);
      from_heads<S>(batch_of_one(mixed), 0, out[sequence].rows(tile.first, tile.count));
    }
    if (visit) visit(sequence, tile.first, attention);
  });
}

template <class S>
void BatchAttention<S>::forward(const Layer<S>& layer, const BatchContents<S>& contents, View<S> out,
                                const AttentionVisitor<S>& visit) {
  const Index B = contents.query.shape[0], N = layer.positions.shape[0], strips = strips_of(largest_, N);
  tbb::parallel_for(
      Index{0}, strips,
      [&](Index number) {
        Strip own;
        if (number > 0) own = make_strip(lanes_of(B), false);
        for (Index t = number; t < tiles_of(N); t += strips)
          forward_tile(layer, contents, batch_tile(t, N, layer.context.causal), number > 0 ? own : strip_, out, visit);
      },
      tbb::simple_partitioner());
}

template class BatchAttention<float>;
template class BatchAttention<double>;

}  // namespace poslab::attention
