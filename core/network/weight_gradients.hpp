// SPDX-License-Identifier: Apache-2.0
// Gradients by weights, which are sums over all rows: in pieces of one size, each in one order.
// Dimension letters: M rows, O and I widths out and in, D model width.
#pragma once

#include <span>

#include "poslab/network/layer.hpp"

namespace poslab::network {

/// Those of a linear layer: weight [O, I] += dy^T x, bias [O] += the sum of dy's rows; of dy [M, O], x [M, I].
template <class S>
struct WeightGradient {
  View<const S> dy, x;
  Affine<View<S>> sums;  ///< empty: not wanted
};

template <class S>
void add_weight_gradients(std::span<const WeightGradient<S>> gradients);

/// Those of a norm, which each tile of rows [first, first + 128) sums up by itself in `sums` [tiles, 2 norms, D], those
/// of norm number `which` at 2 which (weight) and 2 which + 1 (bias).
template <class S>
class NormGradient {
 public:
  NormGradient(View<S> sums, Index which, const Affine<View<S>>& total) : sums_(sums), which_(which), total_(total) {}
  /// Zeroed sums of one tile; empty where they are not wanted.
  Affine<View<S>> begin_tile(Index first_row) const;
  /// Adds up all tiles.
  void add_up() const;

 private:
  View<S> of_tile(Index tile, Index array) const { return sums_[tile][2 * which_ + array]; }

  View<S> sums_;
  Index which_;
  Affine<View<S>> total_;
};

}  // namespace poslab::network
