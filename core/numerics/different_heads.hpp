// SPDX-License-Identifier: Apache-2.0
// Heads with equal factors have equal scores: one of them is enough. (RoPE rotates all heads alike.)
// Dimension letters: H heads, N positions, W width of the factors.
#pragma once

#include <algorithm>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

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
