// SPDX-License-Identifier: Apache-2.0
// Rotating pairs of channels by angles that are given as cosines and sines: plain loops that the compiler vectorises.
#pragma once

#include "poslab/sdk/model.hpp"

namespace poslab::sdk {

/// Rotates channels 2m, 2m + 1 of x by plane m. The transposed rotation is the same with the sines negated.
template <class S>
void rotate_interleaved(S* __restrict x, const S* __restrict cosines, const S* __restrict sines, Index planes) {
  for (Index m = 0; m < planes; ++m) {
    const S a = x[2 * m], b = x[2 * m + 1];
    x[2 * m] = a * cosines[m] - b * sines[m];
    x[2 * m + 1] = b * cosines[m] + a * sines[m];
  }
}

/// Rotates channels m, m + planes of x by plane m.
template <class S>
void rotate_half_split(S* __restrict x, const S* __restrict cosines, const S* __restrict sines, Index planes) {
  S* __restrict y = x + planes;
  for (Index m = 0; m < planes; ++m) {
    const S a = x[m], b = y[m];
    x[m] = a * cosines[m] - b * sines[m];
    y[m] = b * cosines[m] + a * sines[m];
  }
}

/// Asks for a row that is to be written soon.
template <class S>
void fetch(const S* row, Index count) {
  constexpr Index line = 64 / sizeof(S);
  for (Index k = 0; k < count; k += line) __builtin_prefetch(row + k, 1);
}

template <class S>
void rotate_row(Pairing pairing, S* x, const S* cosines, const S* sines, Index planes) {
  pairing == Pairing::interleaved ? rotate_interleaved(x, cosines, sines, planes)
                                  : rotate_half_split(x, cosines, sines, planes);
}

}  // namespace poslab::sdk
