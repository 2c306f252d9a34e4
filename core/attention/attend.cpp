// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/attention.hpp"

#include "poslab/attention/batch.hpp"
#include "poslab/attention/heads.hpp"

namespace poslab::attention {

template <class S>
void logits(const Layer<S>& layer, View<const S> queries, View<const S> keys, View<const S> layer_input,
            Index first_query, View<S> out, View<const S> made_bias) {
  const double scale = scale_of(layer, queries.shape[2]);
  scaled_products<S>(queries, keys, scale, out);
  if (layer.scheme)
    add_positions<S>(*layer.scheme, layer.context, layer.positions, queries, keys, layer_input, first_query, scale,
                     layer.weights, out, layer.index, made_bias);
}

template <class S>
void attend(const Layer<S>& layer, const Content<S>& content, View<const S> values, View<S> out,
            const AttentionVisitor<S>& visit) {
  const Index H = content.query.shape[0], N = content.query.shape[1], K = content.query.shape[2], D = H * K;
  BatchAttention<S> attention(layer.scheme, {1, H, N, K}, Gradient::none);
  Array<S> query = rows_of_heads(content.query, 0, N), key = rows_of_heads(content.key, 0, N), value, rows;
  const bool moves = values.data && layer.scheme && layer.scheme->transforms(host::Side::value);
  if (moves) value = rows_of_heads(values, 0, N);
  BatchContents<S> contents{batch_of_one(query.view()), batch_of_one(key.view()), {}, {}};
  if (values.data) contents.value = batch_of_one(moves ? value.view() : values);
  attention.transform(layer, batch_of_one(query.view()), batch_of_one(key.view()),
                      moves ? batch_of_one(value.view()) : View<S>());
  if (content.layer_input.data) contents.layer_input = {content.layer_input.data, {1, N, D}};
  if (out.data) rows = Array<S>{N, D};
  attention.forward(layer, contents, {rows.data(), {1, N, D}}, visit);
  if (out.data) to_heads<S>(rows, 0, batch_of_one(out));
}

#define POSLAB_FOR(S)                                                                                   \
  template void logits<S>(const Layer<S>&, View<const S>, View<const S>, View<const S>, Index, View<S>, \
                          View<const S>);                                                               \
  template void attend<S>(const Layer<S>&, const Content<S>&, View<const S>, View<S>, const AttentionVisitor<S>&);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
