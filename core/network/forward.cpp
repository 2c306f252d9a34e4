// SPDX-License-Identifier: Apache-2.0
// The forward pass: embedding, layers, head.
#include "rows.hpp"
#include "work.hpp"

namespace poslab::network {

// x [M, D] = embedding[token] + encoded[t], or embedding . vector + encoded[t]
template <class S>
void Network<S>::Work::embed(const Parameters<S>& parameters, const Batch& batch) {
  const Index T = at.length, D = configuration.model_width;
  const bool encodes = has(host::Operation::encode);
  if (encodes) {
    const attention::Layer<S> layer = attention_layer(0, parameters);
    scheme->template encode<S>(layer.context, positions, layer.weights, at.encoded);
  }
  const View<const S> embedding = parameters[layout.token_embedding];
  const View<S> x = at.layers[0].input;
  if (layout.vector_embedding >= 0) {
    std::transform(batch.vectors.begin(), batch.vectors.end(), vectors.data(),
                   [](double number) { return static_cast<S>(number); });
    linear<S>(vector_rows(), parameters[layout.vector_embedding], {}, x);
  }
  for (Index m = 0; m < rows(); ++m) {
    if (embedding.data) std::copy_n(&embedding(batch.tokens.data[m], 0), D, &x(m, 0));
    if (encodes)
      for (Index a = 0; a < D; ++a) x(m, a) += at.encoded(m % T, a);
  }
}

template <class S>
void Network<S>::Work::project(const LayerIndices& indices, const Parameters<S>& parameters,
                               const LayerActivations<S>& a) {
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const View<S> normed = a.normed1.rows(first, count), projected = at.rows.rows(first, count);
    normalise<S>(configuration.norm, a.input.rows(first, count), parameters[indices.norm1.weight],
                 parameters[indices.norm1.bias], normed, a.mean1.rows(first, count), a.scale1.rows(first, count));
    const auto into = [&](const LinearIndices& linear_indices, View<S> heads) {
      linear<S>(normed, parameters[linear_indices.weight], parameters[linear_indices.bias], projected);
      to_heads<S>(projected, first, heads);
    };
    into(indices.query, a.query);
    into(indices.key, a.key);
    into(indices.value, a.value);
  });
}

template <class S>
void Network<S>::Work::layer_forward(Index l, const Parameters<S>& parameters, const AttentionVisitor<S>& visit) {
  const LayerIndices& indices = layout.layers[static_cast<std::size_t>(l)];
  const LayerActivations<S>& a = at.layer(l);
  project(indices, parameters, a);
  if (keeps_before) {
    std::copy(a.query.begin(), a.query.end(), a.query_before.begin());
    std::copy(a.key.begin(), a.key.end(), a.key_before.begin());
  }
  const attention::Layer<S> layer = attention_layer(l, parameters);
  attention.transform(layer, a.query, a.key);
  attention::BatchVisitor<S> look;
  if (visit) look = [&](Index sequence, Index first, View<const S> seen) { visit(l, sequence, first, seen); };
  attention.forward(layer, {a.query, a.key, a.value, by_sequence(a.normed1), a.query_before, a.key_before},
                    by_sequence(a.mixed), look);

  const View<S> output = l + 1 < configuration.layers ? at.layer(l + 1).input : at.last;
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](View<S> x) { return x.rows(first, count); };
    linear<S>(of(a.mixed), parameters[indices.output.weight], parameters[indices.output.bias], of(a.middle));
    add_rows<S>(of(a.middle), of(a.input));
    normalise<S>(configuration.norm, of(a.middle), parameters[indices.norm2.weight], parameters[indices.norm2.bias],
                 of(a.normed2), of(a.mean2), of(a.scale2));
    linear<S>(of(a.normed2), parameters[indices.up.weight], parameters[indices.up.bias], of(a.up));
    gelu<S>(configuration.gelu, of(a.up), of(a.active));
    linear<S>(of(a.active), parameters[indices.down.weight], parameters[indices.down.bias], of(output));
    add_rows<S>(of(output), of(a.middle));
  });
}

template <class S>
void Network<S>::Work::head(const Parameters<S>& parameters, const Batch& batch, bool with_gradient) {
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](View<S> x) { return x.rows(first, count); };
    normalise<S>(configuration.norm, of(at.last), parameters[layout.norm.weight], parameters[layout.norm.bias],
                 of(at.normed), of(at.mean), of(at.scale));
    linear<S>(of(at.normed), parameters[layout.unembedding], {}, of(at.logits));
    cross_entropy<S>(of(at.logits), batch.targets.data + first, factors.data() + first, losses.data() + first,
                     with_gradient);
  });
}

template struct Network<float>::Work;
template struct Network<double>::Work;

}  // namespace poslab::network
