// SPDX-License-Identifier: Apache-2.0
// Contents of a sequence with everything that a scheme does to them before they meet: what `encode` adds, and
// `transform`. No projections: a head has its own channels of the content and of the code.
// Dimension letters: N tokens, H heads, K head width, D model width.
#pragma once

#include "poslab/attention/logits.hpp"

namespace poslab::attention {

template <class S>
struct Coded {
  Transformed<S> transformed;  ///< ready for `logits`
  Array<S> layer_input;        ///< [N, D]: the coded queries of all heads, side by side
};

/// Codes the contents query and key [H, N, K], which stay as they are. A scheme that leaves 1 / sqrt(K) out of its
/// logits (T5) has it in its queries here, so that logits of independent contents vary alike under every scheme: by 1.
template <class S>
Coded<S> coded(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
               std::span<const View<const S>> weights, View<const S> query, View<const S> key);

}  // namespace poslab::attention
