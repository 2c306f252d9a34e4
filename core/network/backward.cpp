// SPDX-License-Identifier: Apache-2.0
// The backward pass: head, layers from the last to the first, embedding.
#include "rows.hpp"
#include "work.hpp"

namespace poslab::network {
namespace {

constexpr Index outputs_per_task = 32;  // rows of a weight's gradient that one task makes

}  // namespace

template <class S>
View<S> Network<S>::Work::norm_sums(Index first_row, Index which) const {
  const View<S> tile = at.gradient.norms[first_row / rows_per_tile];
  return tile[which];
}

// Norm number `which` of a layer has the sums 2 which (weight) and 2 which + 1 (bias) of each tile.
template <class S>
void Network<S>::Work::add_norm_gradients(Index which, const NormIndices& indices, Parameters<S>& gradient) {
  const auto add = [&](Index sums, View<S> total) {
    if (!total.data) return;
    for (Index first = 0; first < rows(); first += rows_per_tile) {
      const View<S> of_tile = norm_sums(first, sums);
      for (Index a = 0; a < total.size(); ++a) total(a) += of_tile(a);
    }
  };
  add(2 * which, gradient[indices.weight]);
  add(2 * which + 1, gradient[indices.bias]);
}

template <class S>
void Network<S>::Work::add_weight_gradients(std::span<const WeightGradient<S>> products, Parameters<S>& gradient) {
  const auto tasks_of = [](const WeightGradient<S>& product) {
    return (product.dy.shape[1] + outputs_per_task - 1) / outputs_per_task;
  };
  Index tasks = 0;
  for (const WeightGradient<S>& product : products) tasks += tasks_of(product);
  tbb::parallel_for(
      Index{0}, tasks,
      [&](Index task) {
        auto product = products.begin();
        for (; task >= tasks_of(*product); ++product) task -= tasks_of(*product);
        const Index first = task * outputs_per_task, count = std::min(outputs_per_task, product->dy.shape[1] - first);
        linear_weight_gradient<S>(product->dy, product->x, first, count, gradient[product->indices.weight],
                                  gradient[product->indices.bias]);
      },
      tbb::simple_partitioner());
}

// `logits` hold the gradient by themselves.
template <class S>
void Network<S>::Work::head_backward(const Parameters<S>& parameters, Parameters<S>& gradient) {
  const GradientActivations<S>& d = at.gradient;
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](View<S> x) { return x.rows(first, count); };
    linear_input_gradient<S>(of(at.logits), parameters[layout.unembedding], of(d.normed));
    std::fill(of(d.output).begin(), of(d.output).end(), S(0));
    const View<S> dweight = norm_sums(first, 0), dbias = norm_sums(first, 1);
    std::fill(dweight.begin(), dbias.end(), S(0));
    normalise_gradient<S>(configuration.norm, of(at.last), parameters[layout.norm.weight], of(at.mean), of(at.scale),
                          of(d.normed), of(d.output), dweight, dbias);
  });
  add_norm_gradients(0, layout.norm, gradient);
  const WeightGradient<S> product{at.logits, at.normed, {layout.unembedding, -1}};
  add_weight_gradients({&product, 1}, gradient);
}

// From `output` to `middle`, `up` and `mixed`.
template <class S>
void Network<S>::Work::feed_forward_backward(const LayerIndices& indices, const Parameters<S>& parameters,
                                             const LayerActivations<S>& a) {
  const GradientActivations<S>& d = at.gradient;
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](View<S> x) { return x.rows(first, count); };
    linear_input_gradient<S>(of(d.output), parameters[indices.down.weight], of(d.up));
    gelu_gradient<S>(configuration.gelu, of(a.up), of(d.up));
    linear_input_gradient<S>(of(d.up), parameters[indices.up.weight], of(d.normed));
    std::copy(of(d.output).begin(), of(d.output).end(), of(d.middle).begin());
    const View<S> dweight = norm_sums(first, 2), dbias = norm_sums(first, 3);
    std::fill(dweight.begin(), dbias.end(), S(0));
    normalise_gradient<S>(configuration.norm, of(a.middle), parameters[indices.norm2.weight], of(a.mean2), of(a.scale2),
                          of(d.normed), of(d.middle), dweight, dbias);
    linear_input_gradient<S>(of(d.middle), parameters[indices.output.weight], of(d.mixed));
  });
}

// From `mixed` to `query`, `key`, `value` before the transform; `normed` gets what `score` makes of the layer's input.
template <class S>
void Network<S>::Work::attention_backward(Index l, const Parameters<S>& parameters, Parameters<S>& gradient) {
  const LayerActivations<S>& a = at.layer(l);
  const GradientActivations<S>& d = at.gradient;
  if (has(host::Operation::score)) std::fill(d.normed.begin(), d.normed.end(), S(0));
  attention.backward(attention_layer(l, parameters),
                     {a.query, a.key, a.value, by_sequence(a.normed1), a.query_before, a.key_before},
                     by_sequence(d.mixed), {d.query, d.key, d.value, by_sequence(d.normed)},
                     gradient.of(layout.layers[static_cast<std::size_t>(l)].scheme));
}

// From `query`, `key`, `value` to the layer's input: `output` becomes the gradient by it.
template <class S>
void Network<S>::Work::projections_backward(const LayerIndices& indices, const Parameters<S>& parameters,
                                            const LayerActivations<S>& a) {
  const GradientActivations<S>& d = at.gradient;
  const bool scored = has(host::Operation::score);
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](View<S> x) { return x.rows(first, count); };
    from_heads<S>(d.query, first, of(d.query_rows));
    from_heads<S>(d.key, first, of(d.key_rows));
    from_heads<S>(d.value, first, of(d.value_rows));
    linear_input_gradient<S>(of(d.query_rows), parameters[indices.query.weight], of(d.normed), scored);
    linear_input_gradient<S>(of(d.key_rows), parameters[indices.key.weight], of(d.normed), true);
    linear_input_gradient<S>(of(d.value_rows), parameters[indices.value.weight], of(d.normed), true);
    const View<S> dweight = norm_sums(first, 0), dbias = norm_sums(first, 1);
    std::fill(dweight.begin(), dbias.end(), S(0));
    normalise_gradient<S>(configuration.norm, of(a.input), parameters[indices.norm1.weight], of(a.mean1), of(a.scale1),
                          of(d.normed), of(d.middle), dweight, dbias);
  });
}

template <class S>
void Network<S>::Work::layer_backward(Index l, const Parameters<S>& parameters, Parameters<S>& gradient) {
  const LayerIndices& indices = layout.layers[static_cast<std::size_t>(l)];
  const LayerActivations<S>& a = at.layer(l);
  const GradientActivations<S>& d = at.gradient;
  feed_forward_backward(indices, parameters, a);
  const WeightGradient<S> after[] = {
      {d.output, a.active, indices.down}, {d.up, a.normed2, indices.up}, {d.middle, a.mixed, indices.output}};
  add_weight_gradients(after, gradient);
  attention_backward(l, parameters, gradient);
  projections_backward(indices, parameters, a);
  const WeightGradient<S> before[] = {{d.query_rows, a.normed1, indices.query},
                                      {d.key_rows, a.normed1, indices.key},
                                      {d.value_rows, a.normed1, indices.value}};
  add_weight_gradients(before, gradient);
  add_norm_gradients(0, indices.norm1, gradient);
  add_norm_gradients(1, indices.norm2, gradient);
  std::swap(at.gradient.output, at.gradient.middle);
}

template <class S>
void Network<S>::Work::embed_backward(const Parameters<S>& parameters, const Batch& batch, Parameters<S>& gradient) {
  const Index T = at.length, D = configuration.model_width;
  const View<S> dx = at.gradient.output, embedding = gradient[layout.token_embedding];
  if (layout.vector_embedding >= 0) {
    const WeightGradient<S> product{dx, vector_rows(), {layout.vector_embedding, -1}};
    add_weight_gradients({&product, 1}, gradient);
  } else {
    for (Index m = 0; m < rows(); ++m)
      for (Index a = 0; a < D; ++a) embedding(batch.tokens.data[m], a) += dx(m, a);
  }
  if (!has(host::Operation::encode) || !scheme->has_trainable_weights()) return;
  std::fill(at.encoded.begin(), at.encoded.end(), S(0));
  for (Index m = 0; m < rows(); ++m)
    for (Index a = 0; a < D; ++a) at.encoded(m % T, a) += dx(m, a);
  const attention::Layer<S> layer = attention_layer(0, parameters);
  scheme->template encode_gradient<S>(layer.context, positions, layer.weights, at.encoded,
                                      gradient.of(layout.layers[0].scheme));
}

template struct Network<float>::Work;
template struct Network<double>::Work;

}  // namespace poslab::network
