// SPDX-License-Identifier: Apache-2.0
// Between the rows of a layer, in which heads stand side by side, and those of each head: head h has the columns
// h K .. (h + 1) K - 1.
// Dimension letters: B sequences, N tokens of each, M rows, D model width, H heads, K head width.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::attention {

/// heads [B, H, N, K] at tokens `first` .. `first` + M - 1 of all B N take `rows` [M, D].
template <class S>
void to_heads(base::View<const S> rows, base::Index first, base::View<S> heads);
/// The reverse: rows [M, D] take those of heads [B, H, N, K].
template <class S>
void from_heads(base::View<const S> heads, base::Index first, base::View<S> rows);

/// One sequence: [N, D] -> [H, N, K]
template <class S>
base::Array<S> split_heads(base::View<const S> rows, base::Index H);

/// [H, N, K] -> [N, D]
template <class S>
base::Array<S> join_heads(base::View<const S> heads);

/// heads [H, N, K] gain what `rows` [N, D] have for them.
template <class S>
void add_to_heads(base::View<const S> rows, base::View<S> heads);

/// heads [H, N, K] of one sequence as those of a batch [1, H, N, K].
template <class S>
base::View<S> batch_of_one(base::View<S> heads) {
  return {heads.data, {1, heads.shape[0], heads.shape[1], heads.shape[2]}};
}

}  // namespace poslab::attention
