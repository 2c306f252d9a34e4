// SPDX-License-Identifier: Apache-2.0
// What `score` and `mix` are given: a tile of queries against all keys, all heads at once.
// Dimension letters: Nq queries of the tile, Nk keys, D model width, H heads, K head width.
#pragma once

#include "poslab/sdk/failure.hpp"
#include "poslab/sdk/model.hpp"
#include "poslab/sdk/tensor.hpp"

namespace poslab {

template <class S>
struct ScoreTile {
  Context context;
  Points query_positions;  ///< Nq of them
  Points key_positions;    ///< Nk of them
  Index first_query;       ///< index of the tile's first query among the keys
  double scale;            ///< the factor on q.k that is in the logits already
  Tensor<const S> query;   ///< [H, Nq, K], as transformed
  Tensor<const S> key;     ///< [H, Nk, K], as transformed
  Tensor<S> logits;        ///< [H, Nq, Nk]: scale * q.k + bias; to be added to, or replaced by a scheme that says so
  Tensor<const S> optional_layer_input;  ///< [Nk, D], or empty

  /// [Nk, D]: what the layer's projections saw.
  const Tensor<const S>& layer_input() const {
    if (optional_layer_input.rank() == 0)
      throw Failure(POSLAB_REFUSED, "this scheme's score depends on the layer's input, which the call did not give");
    return optional_layer_input;
  }
};

/// For a hand-written score_gradient. A scheme that adds to the logits passes nothing on for them: the host does.
template <class S>
struct ScoreGradient {
  Tensor<const S> logits;  ///< [H, Nq, Nk]: the gradient by the logits that `score` left
  Tensor<S> layer_input;   ///< [Nk, D]: add to it
  Tensor<S> query;         ///< [H, Nq, K]: add to it
  Tensor<S> key;           ///< [H, Nk, K]: add to it
};

template <class S>
struct MixTile {
  Context context;
  Points query_positions, key_positions;
  Index first_query;
  Tensor<const S> attention;  ///< [H, Nq, Nk], after the softmax
  Tensor<S> output;           ///< [H, Nq, K]: the weighted values, to be added to
};

/// For a hand-written mix_gradient.
template <class S>
struct MixGradient {
  Tensor<const S> output;  ///< [H, Nq, K]: the gradient by the output
  Tensor<S> attention;     ///< [H, Nq, Nk]: add to it
};

}  // namespace poslab
