// SPDX-License-Identifier: Apache-2.0
// Attention logits of one layer with all operations of a scheme: transform on q and k, product times the
// scale, bias, score. The mask and the softmax come after (attention.hpp). Tiles of queries keep [H, N, N] out of
// memory.
// Dimension letters: N positions, Nq queries of the tile, Nk keys, A axes of a position, D model width, H heads,
// K head width.
#pragma once

#include <optional>
#include <span>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::attention {

using base::Array;
using base::Index;
using base::View;

/// The contents of a whole sequence, before any position enters q and k.
template <class S>
struct Content {
  View<const S> query;        ///< [H, N, K]
  View<const S> key;          ///< [H, N, K]
  View<const S> layer_input;  ///< [N, D]; empty where there is none
};

/// q and k of a whole sequence after `transform` (copies).
template <class S>
struct Transformed {
  Array<S> query, key;  ///< [H, N, K]
};

template <class S>
Transformed<S> transform(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                         const Content<S>& content, std::span<const View<const S>> weights, Index layer = 0);

/// out [H, Nq, Nk]: the unmasked logits of queries first_query .. first_query + Nq - 1 against the first Nk keys: all
/// of them (Nk = N), or fewer where a mask hides the rest. `scale` replaces the scheme's own logit scale when given
/// (position scores use 1).
template <class S>
void logits(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
            const Transformed<S>& transformed, View<const S> layer_input, Index first_query,
            std::span<const View<const S>> weights, View<S> out, std::optional<double> scale = {}, Index layer = 0);

/// The two halves of `logits`, for queries that are not neighbours.
/// out [H, Nq, Nk] = scale * q.k, of queries [H, Nq, K] and the first Nk of keys [H, N, K].
template <class S>
void scaled_products(View<const S> queries, View<const S> keys, double scale, View<S> out);

/// out [H, Nq, Nk] holds scale * q.k and becomes the logits: `bias` is added, then `score` runs. `queries` [H, Nq, K]
/// are those at positions first_query .. first_query + Nq - 1; `keys` [H, N, K] and `layer_input` [N, D] are of all
/// positions, or of the first Nk. `made_bias` [H, Nq, Nk], if given, is what `bias` has already said of this tile.
template <class S>
void add_positions(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                   View<const S> queries, View<const S> keys, View<const S> layer_input, Index first_query,
                   double scale, std::span<const View<const S>> weights, View<S> out, Index layer = 0,
                   View<const S> made_bias = {});

/// Entries [h, first .. first + count - 1, :] of x [H, N, K], as an array [H, count, K] of its own.
template <class S>
Array<S> rows_of_heads(View<const S> x, Index first, Index count);

}  // namespace poslab::attention
