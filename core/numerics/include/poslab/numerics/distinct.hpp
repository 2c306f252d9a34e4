// SPDX-License-Identifier: Apache-2.0
// Equal rows of a table.
// Dimension letters: N rows, W columns, U different rows.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;
using base::View;

/// As what numbers are stored before they are compared; bfloat16 is made of float32, as programs do, ties to even.
enum class Stored { as_given, as_float32, as_bfloat16 };

/// How many rows [N, W] are distinct; two are equal if all their entries are (0 and -0 are). The table is rounded as it
/// is read: no copy.
template <class S>
base::Index distinct_rows(base::View<const S> rows, Stored stored = Stored::as_given);

/// Equal rows, found by hash in O(N W): a table of few different rows is then no harder than those few.
struct DistinctRows {
  std::vector<Index> first;                ///< [U], rising: the first row of each kind
  std::vector<Index> kind;                 ///< [N]: which kind a row is
  std::vector<std::vector<Index>> others;  ///< [U]: the further rows of that kind, rising
  Index count(Index of_kind) const { return 1 + static_cast<Index>(others[base::at(of_kind)].size()); }
};

/// Rows [N, W] are of one kind if all their entries are equal (0 and -0 are).
template <class S>
DistinctRows find_distinct_rows(View<const S> rows);

}  // namespace poslab::numerics
