// SPDX-License-Identifier: Apache-2.0
// The vector-Jacobian products of the five operations: which arrays each one takes, and their shapes.
#include "calls/call.hpp"
#include "poslab/host/library.hpp"

namespace poslab::host {
namespace {

// Where x before `transform` goes.
const poslab_view*& before_of(poslab_call& call, Side side) {
  switch (side) {
    case Side::query: return call.query;
    case Side::key: return call.key;
    case Side::value: return call.value;
    case Side::output: return call.mixed;
  }
  return call.query;
}

}  // namespace

template <class S>
void Scheme::encode_gradient(const Context& context, Positions positions, std::span<const View<const S>> weights,
                             View<const S> out_gradient, std::span<const View<S>> weight_gradients) const {
  Call<S> call(*this, Operation::encode, context, 0);
  call.positions(positions);
  call.weights(weights);
  call.weight_gradients(weight_gradients);
  call.fields.output_gradient = call.input("output_gradient", out_gradient, {positions.shape[0], model_.model_width});
  call.gradient(plugin_->table(), instance_.self);
}

template <class S>
void Scheme::transform_gradient(const Context& context, Side side, Positions positions,
                                std::span<const View<const S>> weights, View<S> gradient,
                                std::span<const View<S>> weight_gradients, View<const S> x, Index layer) const {
  const Index H = model_.heads, N = positions.shape[0], K = model_.head_width();
  if (has(Operation::transform) && !transforms(side)) return;
  Call<S> call(*this, Operation::transform, context, layer);
  call.fields.side = static_cast<std::int32_t>(side);
  call.positions(positions);
  call.weights(weights);
  call.weight_gradients(weight_gradients);
  before_of(call.fields, side) = call.optional_input("x", x, {H, N, K});
  call.fields.output = call.output("output", gradient, {H, N, K});
  call.gradient(plugin_->table(), instance_.self);
}

template <class S>
void Scheme::bias_gradient(const Context& context, const Tile& tile, std::span<const View<const S>> weights,
                           View<const S> out_gradient, std::span<const View<S>> weight_gradients, Index layer) const {
  const Index Nq = tile.query_positions.shape[0], Nk = tile.key_positions.shape[0];
  Call<S> call(*this, Operation::bias, context, layer);
  call.tile(tile);
  call.weights(weights);
  call.weight_gradients(weight_gradients);
  call.fields.output_gradient = call.input("output_gradient", out_gradient, {model_.heads, Nq, Nk});
  call.gradient(plugin_->table(), instance_.self);
}

template <class S>
void Scheme::score_gradient(const Context& context, const Tile& tile, const ScoreInput<S>& input,
                            std::span<const View<const S>> weights, View<const S> logits_gradient,
                            const ScoreGradient<S>& gradient, std::span<const View<S>> weight_gradients,
                            Index layer) const {
  const Index H = model_.heads, Nq = tile.query_positions.shape[0], Nk = tile.key_positions.shape[0];
  const Index D = model_.model_width, K = model_.head_width();
  Call<S> call(*this, Operation::score, context, layer);
  call.tile(tile);
  call.weights(weights);
  call.weight_gradients(weight_gradients);
  call.fields.scale = input.scale;
  call.fields.layer_input = call.optional_input("layer_input", input.layer_input, {Nk, D});
  call.fields.query = call.input("query", input.query, {H, Nq, K});
  call.fields.key = call.input("key", input.key, {H, Nk, K});
  call.fields.output_gradient = call.input("output_gradient", logits_gradient, {H, Nq, Nk});
  call.fields.layer_input_gradient = call.optional_output("layer_input_gradient", gradient.layer_input, {Nk, D});
  call.fields.query_gradient = call.optional_output("query_gradient", gradient.query, {H, Nq, K});
  call.fields.key_gradient = call.optional_output("key_gradient", gradient.key, {H, Nk, K});
  call.gradient(plugin_->table(), instance_.self);
}

template <class S>
void Scheme::mix_gradient(const Context& context, const Tile& tile, View<const S> attention,
                          std::span<const View<const S>> weights, View<const S> out_gradient,
                          View<S> attention_gradient, std::span<const View<S>> weight_gradients, Index layer) const {
  const Index H = model_.heads, Nq = tile.query_positions.shape[0], Nk = tile.key_positions.shape[0];
  Call<S> call(*this, Operation::mix, context, layer);
  call.tile(tile);
  call.weights(weights);
  call.weight_gradients(weight_gradients);
  call.fields.attention = call.input("attention", attention, {H, Nq, Nk});
  call.fields.output_gradient = call.input("output_gradient", out_gradient, {H, Nq, model_.head_width()});
  call.fields.attention_gradient = call.optional_output("attention_gradient", attention_gradient, {H, Nq, Nk});
  call.gradient(plugin_->table(), instance_.self);
}

#define POSLAB_FOR(S)                                                                                                \
  template void Scheme::encode_gradient<S>(const Context&, Positions, std::span<const View<const S>>, View<const S>, \
                                           std::span<const View<S>>) const;                                          \
  template void Scheme::transform_gradient<S>(const Context&, Side, Positions, std::span<const View<const S>>,       \
                                              View<S>, std::span<const View<S>>, View<const S>, Index) const;        \
  template void Scheme::bias_gradient<S>(const Context&, const Tile&, std::span<const View<const S>>, View<const S>, \
                                         std::span<const View<S>>, Index) const;                                     \
  template void Scheme::score_gradient<S>(const Context&, const Tile&, const ScoreInput<S>&,                         \
                                          std::span<const View<const S>>, View<const S>, const ScoreGradient<S>&,    \
                                          std::span<const View<S>>, Index) const;                                    \
  template void Scheme::mix_gradient<S>(const Context&, const Tile&, View<const S>, std::span<const View<const S>>,  \
                                        View<const S>, View<S>, std::span<const View<S>>, Index) const;
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::host
