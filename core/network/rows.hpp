// SPDX-License-Identifier: Apache-2.0
// Rows of tokens, in which heads stand side by side, and those of the heads of each sequence.
// Dimension letters: B sequences, T tokens of each, H heads, K head width, D = H K model width.
#pragma once

#include <algorithm>

#include "poslab/network/configuration.hpp"

namespace poslab::network {

/// Row r of x is row first + r of all, token (first + r) mod T of sequence (first + r) / T: its heads go to
/// out [B, H, T, K].
template <class S>
void to_heads(View<const S> x, Index first, View<S> out) {
  const Index H = out.shape[1], T = out.shape[2], K = out.shape[3];
  for (Index r = 0; r < x.shape[0]; ++r) {
    const Index b = (first + r) / T, t = (first + r) % T;
    for (Index h = 0; h < H; ++h) std::copy_n(&x(r, h * K), K, out.data + ((b * H + h) * T + t) * K);
  }
}

/// The reverse: row r of out from x [B, H, T, K].
template <class S>
void from_heads(View<const S> x, Index first, View<S> out) {
  const Index H = x.shape[1], T = x.shape[2], K = x.shape[3];
  for (Index r = 0; r < out.shape[0]; ++r) {
    const Index b = (first + r) / T, t = (first + r) % T;
    for (Index h = 0; h < H; ++h) std::copy_n(x.data + ((b * H + h) * T + t) * K, K, &out(r, h * K));
  }
}

template <class S>
void add_rows(View<S> sum, View<const S> rows) {
  for (Index i = 0; i < sum.size(); ++i) sum.data[i] += rows.data[i];
}

}  // namespace poslab::network
