// SPDX-License-Identifier: Apache-2.0
// The five operations: which arrays each one takes, and their shapes.
#include <algorithm>

#include "calls/call.hpp"
#include "poslab/host/library.hpp"

namespace poslab::host {

template <class S>
void Scheme::encode(const Context& context, Positions positions, std::span<const View<const S>> weights,
                    View<S> out) const {
  // In blocks, so that what a call wrote is still in the cache when its numbers are looked at.
  constexpr Index bytes = Index{1} << 18;
  const Index N = positions.shape[0], most = std::max<Index>(1, bytes / (model_.model_width * Index{sizeof(S)}));
  const bool fits = out.rank == 2 && out.shape[0] == N;  // else the call says what is wrong
  for (Index first = 0; first == 0 || first < N; first += most) {
    const Index count = fits ? std::min(most, N - first) : N;
    Call<S> call(*this, Operation::encode, context, 0);
    call.first_row = first;
    call.positions(positions.rows(first, count));
    call.weights(weights);
    call.fields.output = call.output("output", fits ? out.rows(first, count) : out, {count, model_.model_width});
    call.forward(plugin_->table(), instance_.self);
  }
}

template <class S>
void Scheme::transform(const Context& context, Side side, Positions positions, std::span<const View<const S>> weights,
                       View<S> x, Index layer) const {
  if (has(Operation::transform) && !transforms(side)) return;
  Call<S> call(*this, Operation::transform, context, layer);
  call.fields.side = static_cast<std::int32_t>(side);
  call.positions(positions);
  call.weights(weights);
  call.fields.output = call.output("output", x, {model_.heads, positions.shape[0], model_.head_width()});
  call.forward(plugin_->table(), instance_.self);
}

template <class S>
void Scheme::bias(const Context& context, const Tile& tile, std::span<const View<const S>> weights, View<S> out,
                  Index layer) const {
  Call<S> call(*this, Operation::bias, context, layer);
  call.tile(tile);
  call.weights(weights);
  call.fields.output =
      call.output("output", out, {model_.heads, tile.query_positions.shape[0], tile.key_positions.shape[0]});
  call.forward(plugin_->table(), instance_.self);
}

template <class S>
void Scheme::score(const Context& context, const Tile& tile, const ScoreInput<S>& input,
                   std::span<const View<const S>> weights, View<S> logits, Index layer) const {
  const Index Nq = tile.query_positions.shape[0], Nk = tile.key_positions.shape[0], K = model_.head_width();
  Call<S> call(*this, Operation::score, context, layer);
  call.tile(tile);
  call.weights(weights);
  call.fields.scale = input.scale;
  call.fields.layer_input = call.optional_input("layer_input", input.layer_input, {Nk, model_.model_width});
  call.fields.query = call.input("query", input.query, {model_.heads, Nq, K});
  call.fields.key = call.input("key", input.key, {model_.heads, Nk, K});
  call.fields.output = call.output("logits", logits, {model_.heads, Nq, Nk});
  call.forward(plugin_->table(), instance_.self);
}

template <class S>
void Scheme::mix(const Context& context, const Tile& tile, View<const S> attention,
                 std::span<const View<const S>> weights, View<S> out, Index layer) const {
  const Index Nq = tile.query_positions.shape[0], Nk = tile.key_positions.shape[0];
  Call<S> call(*this, Operation::mix, context, layer);
  call.tile(tile);
  call.weights(weights);
  call.fields.attention = call.input("attention", attention, {model_.heads, Nq, Nk});
  call.fields.output = call.output("output", out, {model_.heads, Nq, model_.head_width()});
  call.forward(plugin_->table(), instance_.self);
}

#define POSLAB_FOR(S)                                                                                                 \
  template void Scheme::encode<S>(const Context&, Positions, std::span<const View<const S>>, View<S>) const;          \
  template void Scheme::transform<S>(const Context&, Side, Positions, std::span<const View<const S>>, View<S>, Index) \
      const;                                                                                                          \
  template void Scheme::bias<S>(const Context&, const Tile&, std::span<const View<const S>>, View<S>, Index) const;   \
  template void Scheme::score<S>(const Context&, const Tile&, const ScoreInput<S>&, std::span<const View<const S>>,   \
                                 View<S>, Index) const;                                                               \
  template void Scheme::mix<S>(const Context&, const Tile&, View<const S>, std::span<const View<const S>>, View<S>,   \
                               Index) const;
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::host
