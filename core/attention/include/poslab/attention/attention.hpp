// SPDX-License-Identifier: Apache-2.0
// One attention layer with all operations of a scheme:
//   q, k, v <- transform(q), transform(k), transform(v)
//   logits = scale * q.k + bias, then score             (logits)
//   attention = softmax(logits) under the mask          (softmax.hpp)
//   out = transform(attention . v + mix)                (batch.hpp: of many sequences, forward and backward)
// `encode` is not here: it happens once, at the input of the whole stack. Projections are the caller's.
// The work goes by tiles of queries of one fixed size, which any thread may take: [H, N, N] is never in memory, and the
// numbers do not depend on the number of threads. A tile can be made again from q and k at any time, which is what a
// backward pass needs.
// Dimension letters: B sequences, N positions, Nq queries of a tile, Nk keys that it sees, D model width, H heads, K
// head width.
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

/// Queries in one tile; the last one of a sequence may have fewer.
inline constexpr Index queries_per_tile = 128;

/// out [H, Nq, Nk]: the unmasked logits of one sequence's queries [H, Nq, K], of which the first is at index
/// first_query, against the first Nk of its keys [H, N, K]; both as transformed. `layer_input` [N, D] is for `score`,
/// and may be empty. `made_bias` [H, Nq, Nk], if given, is what `bias` has already said of this tile.
template <class S>
void logits(const Layer<S>& layer, View<const S> queries, View<const S> keys, View<const S> layer_input,
            Index first_query, View<S> out, View<const S> made_bias = {});

/// Sees the attention [H, Nq, Nk] of some queries of one sequence, Nk = N, or fewer if a mask hides the rest: rows sum
/// to 1, with 0 where a key is hidden. Called once a tile, from several threads at once.
template <class S>
using AttentionVisitor = std::function<void(Index sequence, Index first_query, View<const S> attention)>;

/// out [H, N, K] overwritten with the layer's output for one sequence's values [H, N, K]; both may be empty, where only
/// the attention is asked for. `visit`, if given, sees every tile.
template <class S>
void attend(const Layer<S>& layer, const Content<S>& content, View<const S> values, View<S> out,
            const AttentionVisitor<S>& visit = {});

/// The same from the definition: one query at a time, all keys, plain loops. The oracle of the tests.
/// Returns the attention [H, N, N].
template <class S>
Array<S> attend_reference(const Layer<S>& layer, const Content<S>& content, View<const S> values, View<S> out);

}  // namespace poslab::attention
