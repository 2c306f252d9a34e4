// SPDX-License-Identifier: Apache-2.0
// Connected components by union and find (Tarjan 1975), with path halving.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace poslab::numerics {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t members) : parent_(members), sets_(static_cast<std::int64_t>(members)) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  void join(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parent_[b < a ? a : b] = b < a ? b : a;
    --sets_;
  }

  std::int64_t sets() const { return sets_; }

 private:
  std::size_t root(std::size_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }

  std::vector<std::size_t> parent_;
  std::int64_t sets_;
};

}  // namespace poslab::numerics
