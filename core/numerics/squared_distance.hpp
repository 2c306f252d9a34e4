// SPDX-License-Identifier: Apache-2.0
// The kernel under every distance of two rows, with an early end for pairs that are clearly too far apart.
// Dimension letters: W columns.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;

// Eight running sums, so that additions overlap, folded as a tree. (Plain arrays: GCC 12 keeps them in registers, and
// vectors of 64 bytes not.)
class SumsOfSquares {
 public:
  static constexpr Index lanes = 8;

  template <class S>
  void add(const S* x, const S* y, Index count = lanes) {
    for (Index lane = 0; lane < count; ++lane) {
      const double difference = static_cast<double>(x[lane]) - static_cast<double>(y[lane]);
      sums_[lane] += difference * difference;
    }
  }
  double fold() const {
    return ((sums_[0] + sums_[4]) + (sums_[1] + sums_[5])) + ((sums_[2] + sums_[6]) + (sums_[3] + sums_[7]));
  }

 private:
  double sums_[lanes] = {};
};

/// The squared distance of x and y [W] if it is at most `limit`; otherwise some number above `limit` and not above the
/// squared distance. (Squares only add, and rounding keeps order: a partial sum is never above the whole.)
template <class S>
inline double squared_distance_below(const S* x, const S* y, Index width, double limit) {
  constexpr Index lanes = SumsOfSquares::lanes, between_looks = 8 * lanes;
  SumsOfSquares sums;
  Index i = 0;
  for (; i + between_looks <= width; i += between_looks) {
    for (Index k = i; k < i + between_looks; k += lanes) sums.add(x + k, y + k);
    if (const double partial = sums.fold(); partial > limit) return partial;
  }
  for (; i + lanes <= width; i += lanes) sums.add(x + i, y + i);
  if (i < width) sums.add(x + i, y + i, width - i);
  return sums.fold();
}

}  // namespace poslab::numerics
