// SPDX-License-Identifier: Apache-2.0
// The few different numbers that the sinusoids of a tile are taken of: each one is projected once, whatever the number
// of pairs that share it.
#pragma once

#include <algorithm>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/offsets.hpp>

namespace poslab {

class DistinctOffsets {
 public:
  /// `offset(query, key)` depends on the difference of its arguments only.
  template <class Offset>
  DistinctOffsets(Points queries, Points keys, Offset offset) : offsets_(queries, keys), key_count_(keys.size()) {
    std::vector<double> all;  // by offset, or, for positions between the integers, by pair
    if (offsets_.can_be_tabulated()) {
      for (Index r = 0; r < offsets_.count(); ++r) all.push_back(offset(0.0, offsets_.at(r)));
    } else {
      for (Index i = 0; i < queries.size(); ++i)
        for (Index j = 0; j < keys.size(); ++j) all.push_back(offset(queries[i], keys[j]));
    }
    distinct_ = all;
    std::sort(distinct_.begin(), distinct_.end());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    for (const double x : all)
      index_.push_back(std::lower_bound(distinct_.begin(), distinct_.end(), x) - distinct_.begin());
  }

  Index count() const { return static_cast<Index>(distinct_.size()); }
  double distinct(Index p) const { return distinct_[static_cast<std::size_t>(p)]; }
  /// Which of them belongs to query i and key j.
  Index at(Index i, Index j) const {
    const Index entry = offsets_.can_be_tabulated() ? offsets_.index_of(i, j) : i * key_count_ + j;
    return index_[static_cast<std::size_t>(entry)];
  }

 private:
  sdk::Offsets offsets_;
  Index key_count_;
  std::vector<double> distinct_;
  std::vector<Index> index_;
};

}  // namespace poslab
