// SPDX-License-Identifier: Apache-2.0
// Between the rows of a layer, in which heads stand side by side, and those of each head: head h has the columns
// h K .. (h + 1) K - 1.
// Dimension letters: N tokens, D model width, H heads, K head width.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::attention {

/// [N, D] -> [H, N, K]
template <class S>
base::Array<S> split_heads(base::View<const S> rows, base::Index H);

/// [H, N, K] -> [N, D]
template <class S>
base::Array<S> join_heads(base::View<const S> heads);

/// heads [H, N, K] gain what `rows` [N, D] have for them.
template <class S>
void add_to_heads(base::View<const S> rows, base::View<S> heads);

}  // namespace poslab::attention
