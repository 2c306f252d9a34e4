// SPDX-License-Identifier: Apache-2.0
// The offsets key - query of a tile. Whole positions have few different ones: what depends on the offset alone is
// computed once for each, and a row of the tile is then a piece of that table.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "poslab/sdk/copy_run.hpp"
#include "poslab/sdk/model.hpp"

namespace poslab::sdk {

class Offsets {
 public:
  /// `queries` and `keys` as checked: finite.
  Offsets(Points queries, Points keys) : queries_(queries), keys_(keys) {
    if (queries.size() == 0 || keys.size() == 0 || queries.axes() != 1 || keys.axes() != 1) return;
    const Ends query = ends(queries), key = ends(keys);
    constexpr double exact = 9007199254740992.0;  // 2^53: up to here differences of integers are exact
    const double largest =
        std::max({std::abs(query.lowest), std::abs(query.highest), std::abs(key.lowest), std::abs(key.highest)});
    if (!query.whole || !key.whole || largest > exact / 2) return;
    lowest_ = key.lowest - query.highest;
    const double count = key.highest - query.lowest - lowest_ + 1;
    if (count <= static_cast<double>(queries.size()) * static_cast<double>(keys.size()))
      count_ = static_cast<Index>(count);
    consecutive_ = key.consecutive;
  }

  bool can_be_tabulated() const { return count_ > 0; }
  Index count() const { return count_; }
  double at(Index r) const { return lowest_ + static_cast<double>(r); }

  /// row[j] = table[offset of query i and key j]; `past_caches` where the rows are too many for them.
  template <class S>
  void gather(const S* table, Index i, S* row, bool past_caches) const {
    if (consecutive_ && past_caches) {
      copy_run_past_caches(table + index_of(i, 0), keys_.size(), row);
    } else if (consecutive_) {
      copy_run(table + index_of(i, 0), keys_.size(), row);
    } else {
      for (Index j = 0; j < keys_.size(); ++j) row[j] = table[index_of(i, j)];
    }
  }

  /// sums[offset of query i and key j] += row[j]
  template <class S>
  void add_back(const S* row, Index i, double* sums) const {
    if (consecutive_) {
      double* const run = sums + index_of(i, 0);
      for (Index j = 0; j < keys_.size(); ++j) run[j] += static_cast<double>(row[j]);
    } else {
      for (Index j = 0; j < keys_.size(); ++j) sums[index_of(i, j)] += static_cast<double>(row[j]);
    }
  }

  /// The index of a pair in the table.
  Index index_of(Index i, Index j) const { return static_cast<Index>(keys_[j] - queries_[i] - lowest_); }

 private:
  struct Ends {
    double lowest, highest;
    bool whole, consecutive;
  };
  static Ends ends(Points points) {
    Ends result{points[0], points[0], true, true};
    for (Index n = 0; n < points.size(); ++n) {
      const double x = points[n];
      result.lowest = std::min(result.lowest, x);
      result.highest = std::max(result.highest, x);
      result.whole &= x == std::trunc(x);
      if (n > 0) result.consecutive &= x - points[n - 1] == 1;
    }
    return result;
  }

  Points queries_, keys_;
  double lowest_ = 0;
  Index count_ = 0;
  bool consecutive_ = false;
};

}  // namespace poslab::sdk
