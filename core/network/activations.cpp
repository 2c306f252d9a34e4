// SPDX-License-Identifier: Apache-2.0
#include "activations.hpp"

#include "tiles.hpp"

namespace poslab::network {

template <class S>
View<S> Arena<S>::take(std::initializer_list<Index> extents) {
  constexpr Index alignment = 64 / sizeof(S);
  View<S> view(block_ ? block_ + taken_ : nullptr, extents);
  taken_ += (view.size() + alignment - 1) / alignment * alignment;
  return view;
}

namespace {

// D, F, H and K of options, B, T and M of a size.
struct Extents {
  Index B, T, M, D, F, H, K;

  Extents(const StackOptions& options, const ActivationSize& size)
      : B(size.sequences),
        T(size.length),
        M(B * T),
        D(options.model_width),
        F(options.feed_forward),
        H(options.heads),
        K(D / H) {}
};

template <class S>
LayerActivations<S> layer_activations(const Extents& e, const ActivationSize& size, Arena<S>& arena) {
  const auto [B, T, M, D, F, H, K] = e;
  const bool kept = size.kept_layers > 0;
  LayerActivations<S> layer;
  for (View<S>* rows : {&layer.input, &layer.normed1, &layer.mixed}) *rows = arena.take({M, D});
  for (View<S>* numbers : {&layer.mean1, &layer.scale1}) *numbers = arena.take({M});
  for (View<S>* heads : {&layer.query, &layer.key, &layer.value}) *heads = arena.take({B, H, T, K});
  if (size.keeps_before)
    for (View<S>* heads : {&layer.query_before, &layer.key_before}) *heads = arena.take({B, H, T, K});
  if (size.keeps_values_before) layer.value_before = arena.take({B, H, T, K});
  if (F == 0) return layer;
  for (View<S>* numbers : {&layer.mean2, &layer.scale2}) *numbers = arena.take({M});
  layer.middle = kept ? arena.take({M, D}) : layer.input;
  if (!kept) return layer;
  layer.normed2 = arena.take({M, D});
  for (View<S>* wide : {&layer.up, &layer.active}) *wide = arena.take({M, F});
  return layer;
}

template <class S>
GradientActivations<S> gradient_activations(const Extents& e, Arena<S>& arena) {
  const auto [B, T, M, D, F, H, K] = e;
  GradientActivations<S> gradient;
  for (View<S>* rows : {&gradient.output, &gradient.middle, &gradient.normed, &gradient.mixed, &gradient.query_rows,
                        &gradient.key_rows, &gradient.value_rows})
    *rows = arena.take({M, D});
  for (View<S>* heads : {&gradient.query, &gradient.key, &gradient.value}) *heads = arena.take({B, H, T, K});
  if (F > 0) gradient.up = arena.take({M, F});
  gradient.norms = arena.take({row_tiles_of(M), 4, D});
  return gradient;
}

}  // namespace

template <class S>
void lay_out(const StackOptions& options, const ActivationSize& size, Arena<S>& arena, Activations<S>& out) {
  const Extents e(options, size);
  const bool kept = size.kept_layers > 0;
  out.sequences = e.B;
  out.length = e.T;
  out.layers.resize(static_cast<std::size_t>(std::max<Index>(1, size.kept_layers)));
  for (LayerActivations<S>& layer : out.layers) layer = layer_activations<S>(e, size, arena);
  out.last = kept ? arena.take({e.M, e.D}) : out.layers[0].input;
  out.encoded = arena.take({e.T, e.D});
  if (!kept) return;
  out.rows = arena.take({e.M, e.D});
  out.gradient = gradient_activations<S>(e, arena);
}

template class Arena<float>;
template class Arena<double>;
template void lay_out<float>(const StackOptions&, const ActivationSize&, Arena<float>&, Activations<float>&);
template void lay_out<double>(const StackOptions&, const ActivationSize&, Arena<double>&, Activations<double>&);

}  // namespace poslab::network
