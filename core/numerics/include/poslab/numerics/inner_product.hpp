// SPDX-License-Identifier: Apache-2.0
// Sums over the entries of vectors, in double and in one fixed order: the same bits wherever they are taken.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;

/// <x, y> over `width` numbers, S float or double. Eight running sums, so that the additions overlap, folded as a tree.
template <class S>
double inner_product(const S* x, const S* y, Index width) {
  constexpr Index lanes = 8;
  double sums[lanes] = {};
  Index i = 0;
  for (; i + lanes <= width; i += lanes)
    for (Index lane = 0; lane < lanes; ++lane)
      sums[lane] += static_cast<double>(x[i + lane]) * static_cast<double>(y[i + lane]);
  for (Index lane = 0; i < width; ++i, ++lane) sums[lane] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

/// <x, x>, the same bits: each entry is loaded and converted once.
template <class S>
double sum_of_squares(const S* x, Index width) {
  constexpr Index lanes = 8;
  double sums[lanes] = {};
  const auto add = [&](const S* entries, Index count) {
    for (Index lane = 0; lane < count; ++lane) {
      const double entry = static_cast<double>(entries[lane]);
      sums[lane] += entry * entry;
    }
  };
  Index i = 0;
  for (; i + lanes <= width; i += lanes) add(x + i, lanes);
  add(x + i, width - i);
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

}  // namespace poslab::numerics
