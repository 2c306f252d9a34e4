// SPDX-License-Identifier: Apache-2.0
// How much scores P_h(m, n) vary among the pairs (m, n) of one class, over all N^2 pairs and without holding them. With
// offsets as classes, zero in every class is what "depends on the offset only" means, whatever an offset is.
// Dimension letters: N positions, H heads.
#pragma once

#include <cstdint>
#include <vector>

#include "poslab/numerics/diagonal_spread.hpp"

namespace poslab::numerics {

using Class = std::int32_t;

struct ClassSpread {
  /// [classes]: max over heads of (highest - lowest score of that class); 0 for a class of no pairs.
  std::vector<double> spread;
  double mean_square = 0;  ///< of the scores of all heads and pairs; not finite if some score is not
  double largest() const;
};

/// `class_of` [N N] holds 0 .. classes - 1, row by row. Scores come in rows, as in diagonal_spread; the same bits on
/// any number of threads.
template <class S>
ClassSpread class_spread(Index heads, Index positions, const std::vector<Class>& class_of, Index classes,
                         const ScoreRows<S>& rows, Index numbers_at_once = Index{1} << 21, Pairs pairs = Pairs::all);

}  // namespace poslab::numerics
