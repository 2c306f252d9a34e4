// SPDX-License-Identifier: Apache-2.0
// Random layers, for experiments that look into untrained stacks: layer norm without learned numbers, relu, no biases.
// A scheme that leaves the scale out of its logits (T5) has it in its queries instead, so that the contents' logits
// vary alike under all schemes. Dimension letters: D model width, F feed-forward width.
#pragma once

#include "poslab/data/draws.hpp"
#include "poslab/network/stack.hpp"

namespace poslab::network {

/// 1 / sqrt(K), as far as the scheme's logits do not have it; 1 without a scheme.
double query_factor_of(const host::Scheme* scheme);

/// A stack of such layers for sequences of `length`; F = 0: attention alone.
StackOptions random_stack(const host::Model& model, Index length, Index feed_forward, bool causal);

/// The arrays of one layer, [out, in].
template <class S>
struct RandomLayer {
  Array<S> query, key, value, output;  ///< entries N(0, 1/D)
  Array<S> up, down;                   ///< N(0, 2/D) and N(0, 2/F) (He et al. 2015, for relu); empty without that part

  /// With a scheme in its place, whose weights are those of this layer.
  StackLayer<S> with(const host::Scheme& scheme, std::vector<View<const S>> scheme_weights) const;
};

/// Drawn without the scheme, so that all schemes share them.
template <class S>
RandomLayer<S> draw_random_layer(const data::Draws& draws, Index layer, const StackOptions& options);

}  // namespace poslab::network
