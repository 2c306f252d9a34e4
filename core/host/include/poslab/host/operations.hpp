// SPDX-License-Identifier: Apache-2.0
// What the operations of a scheme are, and what they are given.
// Dimension letters: N positions, Nq query positions, Nk key positions, A axes of a position, D model width, H heads,
// K head width.
#pragma once

#include "poslab/base/array.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

using base::Index;
using base::View;

enum class Operation : int {
  encode = POSLAB_ENCODE,
  transform = POSLAB_TRANSFORM,
  bias = POSLAB_BIAS,
  score = POSLAB_SCORE,
  mix = POSLAB_MIX
};
inline constexpr Operation all_operations[] = {Operation::encode, Operation::transform, Operation::bias,
                                               Operation::score, Operation::mix};
const char* to_text(Operation operation);

enum class Side : int { query = POSLAB_QUERY, key = POSLAB_KEY, value = POSLAB_VALUE, output = POSLAB_OUTPUT };
inline constexpr Side all_sides[] = {Side::query, Side::key, Side::value, Side::output};
const char* to_text(Side side);  ///< "queries"
enum class Mask : int {
  any = POSLAB_ANY_MASK,
  causal_only = POSLAB_CAUSAL_ONLY,
  bidirectional_only = POSLAB_BIDIRECTIONAL_ONLY
};

/// What a scheme is attached to. K = D / H must be exact.
struct Model {
  Index model_width = 128;  ///< D
  Index heads = 8;          ///< H
  Index train_length = 512;
  Index head_width() const { return model_width / heads; }  ///< K
  bool operator==(const Model&) const = default;
};

struct Context {
  Index length = 0;  ///< of the whole sequence
  Index train_length = 0;
  bool causal = false;
};

/// Positions as [N, A] doubles.
using Positions = View<const double>;

/// A tile of queries against all keys.
struct Tile {
  Positions query_positions;  ///< [Nq, A]
  Positions key_positions;    ///< [Nk, A]
  Index first_query = 0;      ///< index of the first query among the keys
};

/// What `score` reads.
template <class S>
struct ScoreInput {
  View<const S> layer_input;  ///< [Nk, D]; may be empty: then a scheme that needs it fails with a sentence
  View<const S> query;        ///< [H, Nq, K], as transformed
  View<const S> key;          ///< [H, Nk, K], as transformed
  double scale = 1;           ///< the factor on q.k that the logits carry already
};

/// Where gradients are added; empty views are not wanted.
template <class S>
struct ScoreGradient {
  View<S> layer_input, query, key;
};

}  // namespace poslab::host
