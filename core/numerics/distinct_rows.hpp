// SPDX-License-Identifier: Apache-2.0
// Equal rows, found by hash in O(N W): a table of few different rows is then no harder than those few.
// Dimension letters: N rows, W columns, U different rows.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;
using base::View;

struct DistinctRows {
  std::vector<Index> first;                ///< [U], rising: the first row of each kind
  std::vector<Index> kind;                 ///< [N]: which kind a row is
  std::vector<std::vector<Index>> others;  ///< [U]: the further rows of that kind, rising
  Index count(Index of_kind) const { return 1 + static_cast<Index>(others[static_cast<std::size_t>(of_kind)].size()); }
};

/// Rows [N, W] are of one kind if all their entries are equal (0 and -0 are).
template <class S>
DistinctRows find_distinct_rows(View<const S> rows);

}  // namespace poslab::numerics
