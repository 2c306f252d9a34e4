// SPDX-License-Identifier: Apache-2.0
// What the spreads of diagonals have in common.
// Dimension letters: H heads, N positions, W width of the factors.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;

/// Lowest and highest number of each diagonal, filled row by row; merging two gives the same in any order.
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

/// Heads with equal factors have equal scores: one of them is enough. (RoPE rotates all heads alike.)
struct DifferentHead {
  base::Index head, copies;  ///< `copies` heads, itself among them, have the factors of `head`
};

/// The first head of each kind, by the factors left and right [H, N, W].
template <class S>
std::vector<DifferentHead> different_heads(base::View<const S> left, base::View<const S> right) {
  const auto same = [](base::View<const S> a, base::View<const S> b) {
    return std::equal(a.begin(), a.end(), b.begin());
  };
  std::vector<DifferentHead> heads;
  for (base::Index h = 0; h < left.shape[0]; ++h) {
    const auto known = std::find_if(heads.begin(), heads.end(), [&](const DifferentHead& other) {
      return same(left[h], left[other.head]) && same(right[h], right[other.head]);
    });
    if (known == heads.end())
      heads.push_back({h, 1});
    else
      ++known->copies;
  }
  return heads;
}

}  // namespace poslab::numerics
