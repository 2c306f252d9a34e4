// SPDX-License-Identifier: Apache-2.0
// How a scheme's `score` changes the logits of the contents that an offset signature is made of.
// Dimension letters: R offsets, Nq queries, Nk keys, H heads, K head width.
#pragma once

#include <span>

#include "poslab/attention/signatures.hpp"

namespace poslab::attention {

/// c(q, k; r) for unit vectors e_a, row by row of the offsets.
template <class S>
struct ScoreChanges {
  Array<S> nothing;    ///< [R, H]     c(0, 0)
  Array<S> query;      ///< [R, H, K]  c(e_a, 0)
  Array<S> key;        ///< [R, H, K]  c(0, e_a)
  Array<S> pair;       ///< [R, H, K]  c(e_a, 1)
  double largest = 0;  ///< absolute value among all logits seen: the measure of their rounding
};

/// The offsets of one token, the query, to R tokens, the keys, in rising order: the last key is the least offset.
struct OffsetRange {
  View<const double> positions;  ///< [R, A]
  Index query;                   ///< its row in `positions`
  Index count() const { return positions.shape[0]; }
  Index key_of(Index row) const { return count() - 1 - row; }
};

/// One call of `score` for each of them: what the definition says.
template <class S>
ScoreChanges<S> changes_one_by_one(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                                   std::span<const View<const S>> weights);

/// One call in all, without contents, for a scheme that claims to be content_free.
template <class S>
ScoreChanges<S> changes_of_any_content(const host::Scheme& scheme, const host::Context& context,
                                       const OffsetRange& offsets, std::span<const View<const S>> weights);

/// Two calls in all, with consecutive queries, for a scheme whose changes depend on query - key only.
template <class S>
ScoreChanges<S> changes_in_tiles(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                                 std::span<const View<const S>> weights);

}  // namespace poslab::attention
