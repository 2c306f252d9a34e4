// SPDX-License-Identifier: Apache-2.0
// What a scheme adds to the logits of given contents.
// Dimension letters: C contents, N positions, D model width, H heads, K head width.
#pragma once

#include <vector>

#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/given_network.hpp"

namespace poslab::experiments::content_independence {

using base::Array;
using base::Index;
using base::View;

template <class S>
struct Setting {
  const host::Scheme& scheme;
  host::Context context;
  std::vector<View<const S>> weights;
  Array<double> positions;                 ///< [N, A]
  Array<S> code;                           ///< [N, D], of `encode`; else empty
  const GivenStack<S>* network = nullptr;  ///< whose norm and projections stand before the first attention; else none
};

/// Contents of the tokens as queries and as keys, each [N, D]; in a network as they enter its layers. What the layer's
/// projections saw is that of the keys.
template <class S>
struct Contents {
  Array<S> query, key;
};

/// The logits s(m, n) [H, N, N] of all operations, and c(m, n): what of them is not the product of the contents. That
/// product has variance 1 for entries of N(0, 1), whatever the scheme's scale: queries are projected so. In a network
/// it is that of its own queries and keys, made from contents without codes.
template <class S>
struct Logits {
  Array<S> with_scheme, added;
};

template <class S>
Logits<S> logits(const Setting<S>& setting, const Contents<S>& contents);

}  // namespace poslab::experiments::content_independence
