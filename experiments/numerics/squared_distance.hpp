// SPDX-License-Identifier: Apache-2.0
// The kernel under every distance of two rows, with an early end for pairs that are clearly too far apart.
// Dimension letters: W columns.
#pragma once

#include <cstring>
#include <limits>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;

namespace detail {

inline constexpr Index lanes = 8;
typedef double Eight __attribute__((vector_size(lanes * sizeof(double))));

template <class S>
inline void load(const S* from, Eight& out) {
  typedef S Packed __attribute__((vector_size(lanes * sizeof(S))));
  Packed packed;
  std::memcpy(&packed, from, sizeof packed);
  out = __builtin_convertvector(packed, Eight);
}

inline double fold(const Eight& s) { return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7])); }

}  // namespace detail

/// The squared distance of x and y [W] if it is at most `limit`; otherwise some number above `limit` and not above the
/// squared distance. (Squares only add, and rounding keeps order: a partial sum is never above the whole.)
template <class S>
inline double squared_distance_below(const S* x, const S* y, Index width, double limit) {
  using namespace detail;
  constexpr Index between_looks = 8 * lanes;
  Eight sums = {};
  Index i = 0;
  while (i + lanes <= width) {
    const Index stop = i + between_looks < width - lanes + 1 ? i + between_looks : width - lanes + 1;
    for (; i < stop; i += lanes) {
      Eight a, b;
      load(x + i, a);
      load(y + i, b);
      sums += (a - b) * (a - b);
    }
    if (const double partial = fold(sums); partial > limit) return partial;
  }
  for (Index lane = 0; i < width; ++i, ++lane) {
    const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
    sums[lane] += difference * difference;
  }
  return fold(sums);
}

}  // namespace poslab::numerics
