// SPDX-License-Identifier: Apache-2.0
#include "poslab/network/stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/attention/batch.hpp"
#include "poslab/network/layers.hpp"
#include "rows.hpp"
#include "work.hpp"

namespace poslab::network {
namespace {

template <class S>
Array<S> draw_stack_weight(const data::Draws& draws, const char* name, Index layer, Index out, Index in, double gain) {
  const Array<double> drawn = draws.normal(fmt::format("{} weight of layer {}", name, layer), {out, in});
  const double deviation = std::sqrt(gain / static_cast<double>(in));
  Array<S> weight{out, in};
  for (Index i = 0; i < weight.size(); ++i) weight.data()[i] = static_cast<S>(deviation * drawn.data()[i]);
  return weight;
}

attention::BatchSize attention_size(const host::Scheme& scheme, const StackShape& shape) {
  return {shape.sequences, scheme.model().heads, shape.length, scheme.model().head_width()};
}

// Layer norm of rows, as the network's, without learned numbers.
template <class S>
void normalise_rows(View<const S> x, View<S> out) {
  const Index M = x.shape[0], D = x.shape[1];
  Array<S> mean{M}, scale{M}, ones{D};
  ones.fill(1);
  normalise<S>(Norm::layer, x, ones, {}, out, mean, scale);
}

template <class S>
View<S> as_rows(Array<S>& x) {
  return {x.data(), {x.extent(0) * x.extent(1), x.extent(2)}};
}

}  // namespace

template <class S>
StackWeights<S> draw_stack_weights(const data::Draws& draws, Index layer, Index D, Index F) {
  const auto square = [&](const char* name) { return draw_stack_weight<S>(draws, name, layer, D, D, 1); };
  StackWeights<S> weights{square("query"), square("key"), square("value"), square("output"), {}, {}};
  if (F > 0) {
    weights.up = draw_stack_weight<S>(draws, "up", layer, F, D, 2);
    weights.down = draw_stack_weight<S>(draws, "down", layer, D, F, 2);
  }
  return weights;
}

template <class S>
Stack<S>::Stack(const host::Scheme& scheme, const StackShape& shape, host::Positions positions,
                const host::Weights<S>& weights, View<const S> content)
    : scheme_(scheme),
      shape_(shape),
      positions_(positions),
      weights_(weights),
      attention_(std::make_unique<attention::BatchAttention<S>>(&scheme, attention_size(scheme, shape), false)) {
  const Index B = shape.sequences, T = shape.length, D = scheme.model().model_width, H = scheme.model().heads;
  for (Array<S>* array : {&x_, &normed_, &mixed_}) *array = Array<S>{B, T, D};
  for (Array<S>* array : {&query_, &key_, &value_}) *array = Array<S>{B, H, T, D / H};
  std::copy(content.begin(), content.end(), x_.data());
  if (!scheme.has(host::Operation::encode)) return;
  Array<S> encoded{T, D};
  scheme.encode<S>({T, T, shape.causal}, positions, weights.of_layer(0), encoded);
  for (Index b = 0; b < B; ++b) add_rows<S>(x_.view()[b], encoded);
}

template <class S>
Stack<S>::~Stack() = default;

template <class S>
double Stack<S>::bytes(const host::Scheme& scheme, const StackShape& shape) {
  const auto M = static_cast<double>(shape.sequences * shape.length),
             D = static_cast<double>(scheme.model().model_width);
  const double tile =
      2 * static_cast<double>(rows_per_tile) * static_cast<double>(shape.feed_forward + 2 * scheme.model().model_width);
  return sizeof(S) *
         (6 * M * D + 16 * tile + attention::BatchAttention<S>::numbers(&scheme, attention_size(scheme, shape), false));
}

template <class S>
double Stack<S>::operations(const host::Scheme& scheme, const StackShape& shape) {
  const auto M = static_cast<double>(shape.sequences * shape.length), T = static_cast<double>(shape.length),
             D = static_cast<double>(scheme.model().model_width), H = static_cast<double>(scheme.model().heads),
             F = static_cast<double>(shape.feed_forward);
  return M * (8 * D * D + 4 * D * F + 4 * T * D + 20 * H * T);
}

template <class S>
void Stack<S>::step(const StackWeights<S>& layer, const StackVisitor<S>& visit) {
  attend(layer, visit);
  if (shape_.feed_forward > 0) feed_forward(layer);
  ++layer_;
}

template <class S>
void Stack<S>::attend(const StackWeights<S>& layer, const StackVisitor<S>& visit) {
  const double usual = 1 / std::sqrt(static_cast<double>(scheme_.model().head_width()));
  const S query_factor = static_cast<S>(usual / scheme_.logit_scale());
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const View<S> normed = as_rows(normed_).rows(first, count);
    normalise_rows<S>(as_rows(x_).rows(first, count), normed);
    Array<S> projected{count, x_.extent(2)};
    const auto into = [&](const Array<S>& weight, S factor, View<S> heads) {
      linear<S>(normed, weight, {}, projected);
      for (S& number : projected.flat()) number *= factor;
      to_heads<S>(projected, first, heads);
    };
    into(layer.query, query_factor, query_);
    into(layer.key, 1, key_);
    into(layer.value, 1, value_);
  });
  const attention::Layer<S> here{
      &scheme_, {shape_.length, shape_.length, shape_.causal}, positions_, weights_.of_layer(layer_), layer_};
  attention_->transform(here, query_, key_);
  attention_->forward(here, {query_, key_, value_, normed_}, mixed_, visit);
  for_each_row_tile(rows(), [&](Index first, Index count) {
    Array<S> written{count, x_.extent(2)};
    linear<S>(as_rows(mixed_).rows(first, count), layer.output, {}, written);
    add_rows<S>(as_rows(x_).rows(first, count), written);
  });
}

template <class S>
void Stack<S>::feed_forward(const StackWeights<S>& layer) {
  const Index D = x_.extent(2), F = shape_.feed_forward;
  for_each_row_tile(rows(), [&](Index first, Index count) {
    Array<S> normed{count, D}, hidden{count, F}, written{count, D};
    normalise_rows<S>(as_rows(x_).rows(first, count), normed);
    linear<S>(normed, layer.up, {}, hidden);
    for (S& number : hidden.flat()) number = std::max(number, S(0));
    linear<S>(hidden, layer.down, {}, written);
    add_rows<S>(as_rows(x_).rows(first, count), written);
  });
}

#define POSLAB_FOR(S)                                                                      \
  template StackWeights<S> draw_stack_weights<S>(const data::Draws&, Index, Index, Index); \
  template class Stack<S>;
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::network
