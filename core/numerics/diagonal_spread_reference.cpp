// SPDX-License-Identifier: Apache-2.0
// The spread of diagonals by its definition: plain loops.
#include <algorithm>
#include <limits>

#include "poslab/numerics/diagonal_spread.hpp"

namespace poslab::numerics::reference {

template <class S>
DiagonalSpread diagonal_spread(View<const S> left, View<const S> right) {
  const Index H = left.shape[0], N = left.shape[1], W = left.shape[2];
  DiagonalSpread out;
  for (Index offset = 1 - N; offset < N; ++offset) {
    double largest = 0;
    for (Index h = 0; h < H; ++h) {
      S lowest = std::numeric_limits<S>::infinity(), highest = -lowest;
      for (Index m = std::max<Index>(0, offset); m < std::min(N, N + offset); ++m) {
        S score = 0;
        for (Index k = 0; k < W; ++k) score += left(h, m, k) * right(h, m - offset, k);
        lowest = std::min(lowest, score);
        highest = std::max(highest, score);
        out.mean_square += static_cast<double>(score) * static_cast<double>(score);
      }
      largest = std::max(largest, static_cast<double>(highest) - static_cast<double>(lowest));
    }
    out.spread.push_back(largest);
  }
  if (N > 0 && H > 0) out.mean_square /= static_cast<double>(H) * static_cast<double>(N) * static_cast<double>(N);
  return out;
}

template DiagonalSpread diagonal_spread(View<const double>, View<const double>);
template DiagonalSpread diagonal_spread(View<const float>, View<const float>);

}  // namespace poslab::numerics::reference
