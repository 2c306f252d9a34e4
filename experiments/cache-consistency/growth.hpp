// SPDX-License-Identifier: Apache-2.0
// A context that grows while its keys wait in a cache.
// Dimension letters: N tokens of the grown context, T of the shorter one, A axes of a position, H heads, K head width.
#pragma once

#include <span>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments::cache_consistency {

using base::Index;
using base::View;

template <class S>
struct Setting {
  const host::Scheme& scheme;
  std::span<const View<const S>> weights;
  View<const double> positions;  ///< [N, A]
};

/// Queries that are looked at: the last ones of the grown context, and the last ones of the shorter.
inline constexpr Index queries_looked_at = 64;

/// What the growth from T tokens to all of them changes in the logits of one content, or of several.
struct Change {
  double largest = 0, squares = 0, pairs = 0;  ///< new queries, cached keys against those of the grown context
  double past = 0;                ///< largest: old queries, old keys, the grown context against the shorter
  double moved = 0, queries = 0;  ///< attention of new queries that is elsewhere with cached keys, summed
  void append(const Change& other);
};

/// What changes for contents query and key [H, N, K]. Throws data::not_finite.
template <class S>
Change change(const Setting<S>& setting, View<const S> query, View<const S> key, Index T);

/// Largest change of the bias at one offset between the last query of the shorter context and that of the grown one:
/// what a row of biases that is kept and used again does to a logit. Only for a scheme with `bias`.
template <class S>
double reused_bias_change(const Setting<S>& setting, Index T);

}  // namespace poslab::experiments::cache_consistency
