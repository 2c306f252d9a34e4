// SPDX-License-Identifier: Apache-2.0
// The softmax of one row of logits, and of a tile of them under a mask.
#pragma once

#include <span>

#include "poslab/base/array.hpp"

namespace poslab::attention {

using base::Index;
using base::View;

/// row_j <- exp(row_j - max) / sum_k exp(row_k - max). The largest exponent is 0, so nothing overflows. An entry of
/// -infinity gets 0; a row with nothing else gets zeros: a query that sees no key attends to none. Where the row begins
/// decides which entries are taken together, and so the last bits: it lies in an array of base, whose memory is
/// aligned.
template <class S>
void softmax(std::span<S> row);

/// logits [H, Nq, Nk]: row i is the query at index first + i, and becomes the softmax over the keys that it sees, with
/// nothing for the others.
template <class S>
void masked_softmax(View<S> logits, Index first, bool causal);

}  // namespace poslab::attention
