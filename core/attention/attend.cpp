// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/attention.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "poslab/attention/softmax.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::attention {
namespace {

// [H, Nq, K] = attention [H, Nq, Nk] . values [H, N, K]
template <class S>
Array<S> weighted_values(View<const S> attention, View<const S> values) {
  const Index H = attention.shape[0], Nq = attention.shape[1], Nk = attention.shape[2], K = values.shape[2];
  Array<S> out{H, Nq, K};
  for (Index h = 0; h < H; ++h) numerics::multiply<S>(attention[h], values[h].rows(0, Nk), &out(h, 0, 0));
  return out;
}

}  // namespace

template <class S>
Transformed<S> transform(const Layer<S>& layer, const Content<S>& content) {
  const Index N = layer.positions.shape[0];
  if (!layer.scheme) return {rows_of_heads(content.query, 0, N), rows_of_heads(content.key, 0, N)};
  return transform<S>(*layer.scheme, layer.context, layer.positions, content, layer.weights, layer.index);
}

template <class S>
AttentionTile<S> attention_tile(const Layer<S>& layer, const Transformed<S>& transformed, View<const S> layer_input,
                                Index first, Index count) {
  const Index H = transformed.query.extent(0), N = transformed.query.extent(1), K = transformed.query.extent(2);
  const double scale = scale_of(layer, K);
  const Array<S> queries = rows_of_heads(transformed.query.view(), first, count);
  AttentionTile<S> tile{first, Array<S>{H, count, layer.context.causal ? first + count : N}};
  scaled_products<S>(queries, transformed.key, scale, tile.attention);
  if (layer.scheme)
    add_positions<S>(*layer.scheme, layer.context, layer.positions, queries, transformed.key, layer_input, first, scale,
                     layer.weights, tile.attention, layer.index);
  masked_softmax<S>(tile.attention, first, layer.context.causal);
  return tile;
}

template <class S>
void for_each_tile(const Layer<S>& layer, const Transformed<S>& transformed, View<const S> layer_input,
                   const TileVisitor<S>& visit) {
  const Index N = transformed.query.extent(1), tiles = (N + queries_per_tile - 1) / queries_per_tile;
  tbb::parallel_for(Index{0}, tiles, [&](Index t) {
    const Index first = t * queries_per_tile;
    visit(attention_tile<S>(layer, transformed, layer_input, first, std::min(queries_per_tile, N - first)));
  });
}

template <class S>
void attend(const Layer<S>& layer, const Content<S>& content, View<const S> values, View<S> out,
            const TileVisitor<S>& visit) {
  const Transformed<S> transformed = transform(layer, content);
  for_each_tile<S>(layer, transformed, content.layer_input, [&](const AttentionTile<S>& tile) {
    const Index Nq = tile.attention.extent(1), Nk = tile.attention.extent(2);
    Array<S> rows = weighted_values<S>(tile.attention, values);
    if (layer.scheme && layer.scheme->has(host::Operation::mix)) {
      const host::Tile where{layer.positions.rows(tile.first_query, Nq), layer.positions.rows(0, Nk), tile.first_query};
      layer.scheme->template mix<S>(layer.context, where, tile.attention, layer.weights, rows, layer.index);
    }
    for (Index h = 0; h < out.shape[0]; ++h) {
      const View<S> from = rows.view()[h];
      std::copy(from.begin(), from.end(), out[h].rows(tile.first_query, Nq).begin());
    }
    if (visit) visit(tile);
  });
}

#define POSLAB_FOR(S)                                                                                               \
  template Transformed<S> transform<S>(const Layer<S>&, const Content<S>&);                                         \
  template AttentionTile<S> attention_tile<S>(const Layer<S>&, const Transformed<S>&, View<const S>, Index, Index); \
  template void for_each_tile<S>(const Layer<S>&, const Transformed<S>&, View<const S>, const TileVisitor<S>&);     \
  template void attend<S>(const Layer<S>&, const Content<S>&, View<const S>, View<S>, const TileVisitor<S>&);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
