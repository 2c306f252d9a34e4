// SPDX-License-Identifier: Apache-2.0
// A stack's forward pass.
#include <fmt/format.h>

#include <cmath>

#include "poslab/attention/heads.hpp"
#include "poslab/base/error.hpp"
#include "stack_work.hpp"

namespace poslab::network {

template <class S>
void Stack<S>::Work::encode(const host::Scheme* scheme, const std::vector<View<const S>>& scheme_weights) {
  if (!scheme || !scheme->has(host::Operation::encode)) return;
  scheme->template encode<S>(context(), positions, scheme_weights, at.encoded);
  for (Index b = 0; b < at.sequences; ++b) base::add_to<S>(by_sequence(at.stream(0))[b], at.encoded);
}

template <class S>
void Stack<S>::Work::project(const StackLayer<S>& layer, const LayerActivations<S>& a, bool with_values) {
  const LayerOf<View<const S>>& w = layer.arrays;
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const View<S> normed = a.normed1.rows(first, count);
    normalise<S>(normalisation(), a.input.rows(first, count), w.norm1.weight, w.norm1.bias, normed,
                 a.mean1.rows(first, count), a.scale1.rows(first, count));
    const TileRows<S> projected(at.rows, first, count, options.model_width);
    const auto into = [&](const Affine<View<const S>>& weights, double factor, View<S> heads) {
      const View<S> of_tile = projected;
      linear<S>(normed, weights.weight, weights.bias, of_tile);
      if (factor != 1)
        for (S& number : of_tile.flat()) number *= static_cast<S>(factor);
      attention::to_heads<S>(of_tile, first, heads);
    };
    into(w.query, layer.query_factor, a.query);
    into(w.key, 1, a.key);
    if (with_values) into(w.value, 1, a.value);
  });
}

template <class S>
void Stack<S>::Work::attend(Index l, const StackLayer<S>& layer, bool with_values, const StackVisitor<S>& visit) {
  if (is_kept() && l == capacity.kept_layers)
    throw base::Error(fmt::format("layer {} of a stack that keeps {}", l, capacity.kept_layers));
  const LayerActivations<S>& a = at.layer(l);
  seen = l;
  project(layer, a, with_values || is_kept());
  if (a.query_before.data) {
    std::copy(a.query.begin(), a.query.end(), a.query_before.begin());
    std::copy(a.key.begin(), a.key.end(), a.key_before.begin());
  }
  if (a.value_before.data) std::copy(a.value.begin(), a.value.end(), a.value_before.begin());
  attention::BatchAttention<S>& attention = attention_of(layer.scheme);
  const attention::Layer<S>& attention_part = attention_layer(l, layer);
  attention.transform(attention_part, a.query, a.key, with_values || is_kept() ? a.value : View<S>());
  attention::BatchContents<S> from = contents(a);
  if (!with_values) from.value = {};
  if (with_values || visit) attention.forward(attention_part, from, by_sequence(a.mixed), visit);
}

// out [count, D] = f(norm2(middle) Wu' + bu) Wd' + bd
template <class S>
void Stack<S>::Work::feed_forward(const StackLayer<S>& layer, const LayerActivations<S>& a, Index first, Index count,
                                  View<S> out) {
  const LayerOf<View<const S>>& w = layer.arrays;
  const TileRows<S> normed(a.normed2, first, count, options.model_width), up(a.up, first, count, options.feed_forward);
  normalise<S>(normalisation(), a.middle.rows(first, count), w.norm2.weight, w.norm2.bias, normed,
               a.mean2.rows(first, count), a.scale2.rows(first, count));
  linear<S>(normed, w.up.weight, w.up.bias, up);
  const View<S> active = is_kept() ? a.active.rows(first, count) : up;
  activate<S>(options.activation, up, active);
  linear<S>(active, w.down.weight, w.down.bias, out);
}

// From `mixed` to the stream after the layer.
template <class S>
void Stack<S>::Work::write_sublayers(Index l, const StackLayer<S>& layer) {
  const LayerActivations<S>& a = at.layer(l);
  const bool feeds = options.feed_forward > 0;
  const View<S> after_attention = feeds ? a.middle : at.stream(l + 1), output = at.stream(l + 1);
  // to = from + sublayer, or the sublayer alone; `to` may be `from`.
  const auto write = [&](View<const S> sublayer, View<const S> from, View<S> to) {
    for (Index i = 0; i < to.size(); ++i)
      to.data[i] = options.residual ? sublayer.data[i] + from.data[i] : sublayer.data[i];
  };
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](View<S> x) { return x.rows(first, count); };
    const TileRows<S> written(at.rows, first, count, options.model_width);
    if (layer.arrays.output.weight.data) {
      linear<S>(of(a.mixed), layer.arrays.output.weight, layer.arrays.output.bias, written);
      write(written, of(a.input), of(after_attention));
    } else {
      write(of(a.mixed), of(a.input), of(after_attention));
    }
    if (!feeds) return;
    feed_forward(layer, a, first, count, written);
    write(written, of(a.middle), of(output));
  });
}

template struct Stack<float>::Work;
template struct Stack<double>::Work;

}  // namespace poslab::network
