// SPDX-License-Identifier: Apache-2.0
// Lowest and highest number of each diagonal, filled row by row; merging two gives the same in any order.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;

template <class S>
class DiagonalExtremes {
 public:
  explicit DiagonalExtremes(Index diagonals)
      : lowest_(static_cast<std::size_t>(diagonals), std::numeric_limits<S>::infinity()),
        highest_(static_cast<std::size_t>(diagonals), -std::numeric_limits<S>::infinity()) {}

  /// `numbers` lie on the diagonals first, first + 1, ...: the columns of one row.
  void add_row(Index first, const S* numbers, Index count) {
    S* lowest = lowest_.data() + first;
    S* highest = highest_.data() + first;
    for (Index i = 0; i < count; ++i) {
      lowest[i] = numbers[i] < lowest[i] ? numbers[i] : lowest[i];
      highest[i] = numbers[i] > highest[i] ? numbers[i] : highest[i];
    }
  }

  /// Diagonal 0 of `part` is diagonal `first` of this; what lies outside (past a corner) is empty and passed over.
  void merge(Index first, const DiagonalExtremes& part) {
    const Index begin = std::max<Index>(0, -first), end = std::min(part.diagonals(), diagonals() - first);
    for (Index i = begin; i < end; ++i) {
      const std::size_t from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(first + i);
      lowest_[to] = std::min(lowest_[to], part.lowest_[from]);
      highest_[to] = std::max(highest_[to], part.highest_[from]);
    }
  }

  Index diagonals() const { return static_cast<Index>(lowest_.size()); }

  double spread(Index diagonal) const {
    const std::size_t d = static_cast<std::size_t>(diagonal);
    return static_cast<double>(highest_[d]) - static_cast<double>(lowest_[d]);
  }

 private:
  std::vector<S> lowest_, highest_;
};

}  // namespace poslab::numerics
