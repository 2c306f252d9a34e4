// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/logits.hpp"

#include <algorithm>

#include "poslab/numerics/products.hpp"

namespace poslab::attention {

using host::Operation;

template <class S>
Array<S> rows_of_heads(View<const S> x, Index first, Index count) {
  const Index H = x.shape[0], K = x.shape[2];
  Array<S> out{H, count, K};
  for (Index h = 0; h < H; ++h) {
    const View<const S> rows = x[h].rows(first, count);
    std::copy(rows.begin(), rows.end(), out.view()[h].begin());
  }
  return out;
}

template <class S>
Transformed<S> transform(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                         const Content<S>& content, std::span<const View<const S>> weights, Index layer) {
  const Index N = positions.shape[0];
  Transformed<S> transformed{rows_of_heads(content.query, 0, N), rows_of_heads(content.key, 0, N)};
  if (scheme.has(Operation::transform)) {
    scheme.transform<S>(context, host::Side::query, positions, weights, transformed.query, layer);
    scheme.transform<S>(context, host::Side::key, positions, weights, transformed.key, layer);
  }
  return transformed;
}

template <class S>
void scaled_products(View<const S> queries, View<const S> keys, double scale, View<S> out) {
  const Index H = out.shape[0], Nk = out.shape[2];
  const auto factor = static_cast<S>(scale);
  for (Index h = 0; h < H; ++h) numerics::multiply_rows<S>(queries[h], keys[h].rows(0, Nk), factor, out[h].data);
}

template <class S>
void add_positions(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                   View<const S> queries, View<const S> keys, View<const S> layer_input, Index first_query,
                   double scale, std::span<const View<const S>> weights, View<S> out, Index layer,
                   View<const S> made_bias) {
  const Index H = out.shape[0], Nq = out.shape[1], Nk = out.shape[2];
  const host::Tile tile{positions.rows(first_query, Nq), positions.rows(0, Nk), first_query};
  if (scheme.has(Operation::bias)) {
    Array<S> own;
    if (!made_bias.data) {
      own = Array<S>{H, Nq, Nk};
      scheme.bias<S>(context, tile, weights, own, layer);
      made_bias = own;
    }
    for (Index i = 0; i < out.size(); ++i) out.data[i] += made_bias.data[i];
  }
  if (scheme.has(Operation::score)) {
    const Array<S> fewer = Nk < keys.shape[1] ? rows_of_heads(keys, 0, Nk) : Array<S>();
    const View<const S> visible = Nk < keys.shape[1] ? fewer.view() : keys;
    const View<const S> input = layer_input.data ? layer_input.rows(0, Nk) : layer_input;
    scheme.score<S>(context, tile, {input, queries, visible, scale}, weights, out, layer);
  }
}

template <class S>
void logits(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
            const Transformed<S>& transformed, View<const S> layer_input, Index first_query,
            std::span<const View<const S>> weights, View<S> out, std::optional<double> scale, Index layer) {
  const double factor = scale.value_or(scheme.logit_scale());
  const Array<S> queries = rows_of_heads(transformed.query.view(), first_query, out.shape[1]);
  scaled_products<S>(queries, transformed.key, factor, out);
  add_positions<S>(scheme, context, positions, queries, transformed.key, layer_input, first_query, factor, weights, out,
                   layer);
}

#define POSLAB_FOR(S)                                                                                                  \
  template Array<S> rows_of_heads<S>(View<const S>, Index, Index);                                                     \
  template Transformed<S> transform<S>(const host::Scheme&, const host::Context&, host::Positions, const Content<S>&,  \
                                       std::span<const View<const S>>, Index);                                         \
  template void scaled_products<S>(View<const S>, View<const S>, double, View<S>);                                     \
  template void add_positions<S>(const host::Scheme&, const host::Context&, host::Positions, View<const S>,            \
                                 View<const S>, View<const S>, Index, double, std::span<const View<const S>>, View<S>, \
                                 Index, View<const S>);                                                                \
  template void logits<S>(const host::Scheme&, const host::Context&, host::Positions, const Transformed<S>&,           \
                          View<const S>, Index, std::span<const View<const S>>, View<S>, std::optional<double>,        \
                          Index);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
