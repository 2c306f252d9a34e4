// SPDX-License-Identifier: Apache-2.0
// What the tokens of a sequence carry.
// Dimension letters: N tokens, H heads, K head width.
#pragma once

#include "poslab/base/array.hpp"
#include "poslab/data/draws.hpp"

namespace poslab::experiments::distance_profile {

using base::Array;
using base::Index;
using base::View;

/// Entries N(0, 1), drawn for every token, and for queries and keys apart; one such vector for all tokens, as query and
/// as key; ones.
enum class Contents { random, equal, ones };

template <class S>
struct Sequence {
  Array<S> query, key;  ///< [H, N, K]
};

/// Contents number `number` of a repeat, in sequences of the same extents the same for every scheme.
template <class S>
Sequence<S> draw(const data::Draws& draws, Contents contents, Index number, Index H, Index N, Index K);

}  // namespace poslab::experiments::distance_profile
