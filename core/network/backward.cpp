// SPDX-License-Identifier: Apache-2.0
// A stack's backward pass.
#include "poslab/attention/heads.hpp"
#include "stack_work.hpp"
#include "weight_gradients.hpp"

namespace poslab::network {
namespace {

template <class S>
bool is_scored(const StackLayer<S>& layer) {
  return layer.scheme && layer.scheme->has(host::Operation::score);
}

}  // namespace

// From `output` to `middle` and `mixed`.
template <class S>
void Stack<S>::Work::sublayers_backward(const StackLayer<S>& layer, const LayerActivations<S>& a,
                                        const LayerOf<View<S>>& gradients) {
  GradientActivations<S>& d = at.gradient;
  const LayerOf<View<const S>>& w = layer.arrays;
  const NormGradient<S> norm2(d.norms, 1, gradients.norm2);
  const bool feeds = options.feed_forward > 0;
  if (!feeds) std::swap(d.output, d.middle);
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](View<S> x) { return x.rows(first, count); };
    if (feeds) {
      linear_input_gradient<S>(of(d.output), w.down.weight, of(d.up));
      activation_gradient<S>(options.activation, of(a.up), of(d.up));
      linear_input_gradient<S>(of(d.up), w.up.weight, of(d.normed));
      if (options.residual)
        std::copy(of(d.output).begin(), of(d.output).end(), of(d.middle).begin());
      else
        std::fill(of(d.middle).begin(), of(d.middle).end(), S(0));
      const Affine<View<S>> sums = norm2.begin_tile(first);
      normalise_gradient<S>(options.norm, of(a.middle), w.norm2.weight, of(a.mean2), of(a.scale2), of(d.normed),
                            of(d.middle), sums.weight, sums.bias);
    }
    if (w.output.weight.data)
      linear_input_gradient<S>(of(d.middle), w.output.weight, of(d.mixed));
    else
      std::copy(of(d.middle).begin(), of(d.middle).end(), of(d.mixed).begin());
  });
  const WeightGradient<S> sums[] = {{d.output, a.active, feeds ? gradients.down : Affine<View<S>>()},
                                    {d.up, a.normed2, feeds ? gradients.up : Affine<View<S>>()},
                                    {d.middle, a.mixed, gradients.output}};
  add_weight_gradients<S>(sums);
  if (feeds) norm2.add_up();
}

// From `mixed` to `query`, `key`, `value` before the transform; `normed` gets what `score` makes of the layer's input.
template <class S>
void Stack<S>::Work::attention_backward(Index l, const StackLayer<S>& layer, const LayerOf<View<S>>& gradients) {
  const GradientActivations<S>& d = at.gradient;
  if (is_scored(layer)) std::fill(d.normed.begin(), d.normed.end(), S(0));
  attention_of(layer.scheme)
      .backward(attention_layer(l, layer), contents(at.layer(l)), by_sequence(d.mixed),
                {d.query, d.key, d.value, by_sequence(d.normed)}, gradients.scheme);
}

// From `query`, `key`, `value` to the layer's input: `middle` becomes the gradient by it.
template <class S>
void Stack<S>::Work::projections_backward(const StackLayer<S>& layer, const LayerActivations<S>& a,
                                          const LayerOf<View<S>>& gradients) {
  const GradientActivations<S>& d = at.gradient;
  const LayerOf<View<const S>>& w = layer.arrays;
  const NormGradient<S> norm1(d.norms, 0, gradients.norm1);
  const bool scored = is_scored(layer);
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](View<S> x) { return x.rows(first, count); };
    attention::from_heads<S>(d.query, first, of(d.query_rows));
    attention::from_heads<S>(d.key, first, of(d.key_rows));
    attention::from_heads<S>(d.value, first, of(d.value_rows));
    if (layer.query_factor != 1)
      for (S& number : of(d.query_rows).flat()) number *= static_cast<S>(layer.query_factor);
    linear_input_gradient<S>(of(d.query_rows), w.query.weight, of(d.normed), scored);
    linear_input_gradient<S>(of(d.key_rows), w.key.weight, of(d.normed), true);
    linear_input_gradient<S>(of(d.value_rows), w.value.weight, of(d.normed), true);
    if (!options.residual) std::fill(of(d.middle).begin(), of(d.middle).end(), S(0));
    const Affine<View<S>> sums = norm1.begin_tile(first);
    normalise_gradient<S>(options.norm, of(a.input), w.norm1.weight, of(a.mean1), of(a.scale1), of(d.normed),
                          of(d.middle), sums.weight, sums.bias);
  });
  const WeightGradient<S> sums[] = {{d.query_rows, a.normed1, gradients.query},
                                    {d.key_rows, a.normed1, gradients.key},
                                    {d.value_rows, a.normed1, gradients.value}};
  add_weight_gradients<S>(sums);
  norm1.add_up();
}

template <class S>
void Stack<S>::Work::back(Index l, const StackLayer<S>& layer, const LayerOf<View<S>>& gradients) {
  const LayerActivations<S>& a = at.layer(l);
  sublayers_backward(layer, a, gradients);
  attention_backward(l, layer, gradients);
  projections_backward(layer, a, gradients);
  std::swap(at.gradient.output, at.gradient.middle);
}

template <class S>
void Stack<S>::Work::encode_back(const host::Scheme* scheme, const std::vector<View<const S>>& scheme_weights,
                                 const std::vector<View<S>>& weight_gradients) {
  if (!scheme || !scheme->has(host::Operation::encode) || !scheme->has_trainable_weights()) return;
  const View<S> dx = at.gradient.output;
  const Index T = at.length, D = options.model_width;
  std::fill(at.encoded.begin(), at.encoded.end(), S(0));
  for (Index m = 0; m < rows(); ++m)
    for (Index a = 0; a < D; ++a) at.encoded(m % T, a) += dx(m, a);
  scheme->template encode_gradient<S>(context(), positions, scheme_weights, at.encoded, weight_gradients);
}

template struct Stack<float>::Work;
template struct Stack<double>::Work;

}  // namespace poslab::network
