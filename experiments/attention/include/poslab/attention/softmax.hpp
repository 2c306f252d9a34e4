// SPDX-License-Identifier: Apache-2.0
// The softmax of one row of logits.
#pragma once

#include <span>

namespace poslab::attention {

/// row_j <- exp(row_j - max) / sum_k exp(row_k - max). The largest exponent is 0, so nothing overflows. An entry of
/// -infinity gets 0; a row with nothing else gets zeros: a query that sees no key attends to none.
template <class S>
void softmax(std::span<S> row);

}  // namespace poslab::attention
