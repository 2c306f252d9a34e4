// SPDX-License-Identifier: Apache-2.0
#include "activations.hpp"

namespace poslab::network {

template <class S>
View<S> Arena<S>::take(std::initializer_list<Index> extents) {
  constexpr Index alignment = 64 / sizeof(S);
  View<S> view(block_ ? block_ + taken_ : nullptr, extents);
  taken_ += (view.size() + alignment - 1) / alignment * alignment;
  return view;
}

namespace {

template <class S>
LayerActivations<S> layer_activations(const Configuration& c, const ActivationSize& size, Arena<S>& arena) {
  const Index B = size.sequences, T = size.length, M = B * T, D = c.model_width, F = c.feed_forward, H = c.heads,
              K = c.head_width();
  LayerActivations<S> layer;
  for (View<S>* rows : {&layer.input, &layer.normed1, &layer.mixed, &layer.middle, &layer.normed2})
    *rows = arena.take({M, D});
  for (View<S>* numbers : {&layer.mean1, &layer.scale1, &layer.mean2, &layer.scale2}) *numbers = arena.take({M});
  for (View<S>* heads : {&layer.query, &layer.key, &layer.value}) *heads = arena.take({B, H, T, K});
  if (size.keeps_before)
    for (View<S>* heads : {&layer.query_before, &layer.key_before}) *heads = arena.take({B, H, T, K});
  for (View<S>* wide : {&layer.up, &layer.active}) *wide = arena.take({M, F});
  return layer;
}

template <class S>
GradientActivations<S> gradient_activations(const Configuration& c, const ActivationSize& size, Arena<S>& arena) {
  const Index B = size.sequences, T = size.length, M = B * T, D = c.model_width, F = c.feed_forward, H = c.heads,
              K = c.head_width();
  GradientActivations<S> gradient;
  for (View<S>* rows : {&gradient.output, &gradient.middle, &gradient.normed, &gradient.mixed, &gradient.query_rows,
                        &gradient.key_rows, &gradient.value_rows})
    *rows = arena.take({M, D});
  for (View<S>* heads : {&gradient.query, &gradient.key, &gradient.value}) *heads = arena.take({B, H, T, K});
  gradient.up = arena.take({M, F});
  gradient.norms = arena.take({(M + rows_per_tile - 1) / rows_per_tile, 4, D});
  return gradient;
}

}  // namespace

template <class S>
void lay_out(const Configuration& c, const ActivationSize& size, Arena<S>& arena, Activations<S>& out) {
  const Index T = size.length, M = size.sequences * T, D = c.model_width;
  out.sequences = size.sequences;
  out.length = T;
  out.layers.resize(size.gradient ? static_cast<std::size_t>(c.layers) : 1);
  for (LayerActivations<S>& layer : out.layers) layer = layer_activations<S>(c, size, arena);
  out.last = size.gradient ? arena.take({M, D}) : out.layers[0].input;
  out.normed = arena.take({M, D});
  out.mean = arena.take({M});
  out.scale = arena.take({M});
  out.logits = arena.take({M, c.alphabet});
  out.encoded = arena.take({T, D});
  out.rows = arena.take({M, D});
  if (size.gradient) out.gradient = gradient_activations<S>(c, size, arena);
}

template class Arena<float>;
template class Arena<double>;
template void lay_out<float>(const Configuration&, const ActivationSize&, Arena<float>&, Activations<float>&);
template void lay_out<double>(const Configuration&, const ActivationSize&, Arena<double>&, Activations<double>&);

}  // namespace poslab::network
