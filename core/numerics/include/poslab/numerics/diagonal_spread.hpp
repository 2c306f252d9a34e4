// SPDX-License-Identifier: Apache-2.0
// How much scores P_h(m, n) vary along the diagonals m - n = offset, over all N^2 pairs and without holding them:
// zero along every diagonal is what "depends on m - n only" means (P_h is a Toeplitz matrix).
// Dimension letters: N positions, H heads, W width of the factors.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/numerics/rotation.hpp"

namespace poslab::numerics {

using base::Index;
using base::View;

/// Which pairs of a query m and a key n are looked at: all of them, or those with n <= m, which a causal mask shows.
enum class Pairs { all, causal };

/// How many pairs N positions have.
double count_of(Pairs pairs, Index N);

struct DiagonalSpread {
  /// [2 N - 1], by offset m - n = -(N-1) .. N-1: max over heads of (highest - lowest score of that diagonal); 0 where
  /// no pair is looked at.
  std::vector<double> spread;
  double mean_square = 0;  ///< of the scores of all heads and pairs; not finite if some score is not

  double largest() const;  ///< the Toeplitz residual
};

/// The spread of P_h(m, n) = <left_h(m), right_h(n)>, left and right [H, N, W]. Products are in S, float or double;
/// where left and right are equal, half of the pairs say all.
template <class S>
DiagonalSpread diagonal_spread(View<const S> left, View<const S> right, Pairs pairs = Pairs::all);

/// Writes P_h(m, n) of rows m = first .. first + M - 1 into out [H, M, N]; called from many threads at once.
template <class S>
using ScoreRows = std::function<void(Index first, View<S> out)>;

/// The spread of scores that come in rows: as many at once as make about `numbers_at_once` scores of all heads, for
/// each thread.
template <class S>
DiagonalSpread diagonal_spread(Index heads, Index positions, const ScoreRows<S>& rows,
                               Index numbers_at_once = Index{1} << 21, Pairs pairs = Pairs::all);

/// The spread of long tables that rotate, in order 64 N W + N W^2 operations for each head. Where left and right are
/// certified (rotation.hpp, with claim.copies = 1) to rotate alike, scores depend on the offset alone but for rounding:
/// then the spread is that of the pairs of which one is among 64 rows, both ends among them, and `mean_square` is that
/// of all pairs. Empty where the certificate is refused.
template <class S>
std::optional<DiagonalSpread> diagonal_spread_of_rotated(View<const S> left, View<const S> right,
                                                         const RotationClaim& claim);

}  // namespace poslab::numerics
