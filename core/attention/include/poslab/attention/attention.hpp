// SPDX-License-Identifier: Apache-2.0
// One attention layer with all operations of a scheme:
//   q, k <- transform(q), transform(k)                  (transform)
//   logits = scale * q.k + bias, then score, the mask   (attention_tile)
//   attention = softmax(logits)                         (attention_tile)
//   out = attention . values + mix                      (attend)
// `encode` is not here: it happens once, at the input of the whole stack. Projections are the caller's.
// The work goes by tiles of queries of one fixed size, which any thread may take: [H, N, N] is never in memory, and the
// numbers do not depend on the number of threads. A tile can be made again from q and k at any time, which is what a
// backward pass needs.
// Dimension letters: N positions, Nq queries of a tile, Nk keys that it sees, D model width, H heads, K head width.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "poslab/attention/logits.hpp"

namespace poslab::attention {

/// A layer of a stack: its scheme, context and positions.
template <class S>
struct Layer {
  const host::Scheme* scheme = nullptr;  ///< null: attention without positions
  host::Context context;                 ///< `causal`: the query at index i sees the keys 0 .. i
  host::Positions positions;             ///< [N, A]
  std::vector<View<const S>> weights;    ///< the scheme's, of this layer
  Index index = 0;                       ///< from 0
  std::optional<double> scale = {};      ///< replaces the scheme's factor on q.k, which is 1 / sqrt(K) without a scheme
};

/// The factor on q.k.
template <class S>
double scale_of(const Layer<S>& layer, Index head_width) {
  if (layer.scale) return *layer.scale;
  return layer.scheme ? layer.scheme->logit_scale() : 1 / std::sqrt(static_cast<double>(head_width));
}

/// Softmax of some queries over the keys that they see.
template <class S>
struct AttentionTile {
  Index first_query = 0;
  Array<S>
      attention;  ///< [H, Nq, Nk]: rows sum to 1; 0 where the mask hides a key. Nk = N, or fewer if the rest is hidden
};

/// Queries in one tile; the last one of a sequence may have fewer.
inline constexpr Index queries_per_tile = 128;

/// q and k after the layer's `transform`.
template <class S>
Transformed<S> transform(const Layer<S>& layer, const Content<S>& content);

/// The attention of queries first .. first + count - 1. `layer_input` [N, D] is for `score`, and may be empty.
template <class S>
AttentionTile<S> attention_tile(const Layer<S>& layer, const Transformed<S>& transformed, View<const S> layer_input,
                                Index first, Index count);

/// Called once a tile, from several threads at once.
template <class S>
using TileVisitor = std::function<void(const AttentionTile<S>& tile)>;

/// All tiles of a sequence.
template <class S>
void for_each_tile(const Layer<S>& layer, const Transformed<S>& transformed, View<const S> layer_input,
                   const TileVisitor<S>& visit);

/// out [H, N, K] overwritten with the layer's output for values [H, N, K]; `visit`, if given, sees every tile.
template <class S>
void attend(const Layer<S>& layer, const Content<S>& content, View<const S> values, View<S> out,
            const TileVisitor<S>& visit = {});

/// The same from the definition: one query at a time, all keys, plain loops. The oracle of the tests.
/// Returns the attention [H, N, N].
template <class S>
Array<S> attend_reference(const Layer<S>& layer, const Content<S>& content, View<const S> values, View<S> out);

}  // namespace poslab::attention
