// SPDX-License-Identifier: Apache-2.0
// Least squares with an intercept: the M and b for which |X M + 1 b^T - Y| is smallest and, where many do equally well,
// the one with the smallest |M| (the intercept does not count).
// Dimension letters: R rows to fit, D inputs, E targets.
#pragma once

#include "poslab/numerics/affine_map.hpp"

namespace poslab::numerics {

struct AffineFit {
  AffineMap map;
  Index rank;  ///< singular values of the centred inputs that count
};

/// X [R, D] and Y [R, E], finite, R >= 1, D >= 1. Singular values of the centred X below rcond times the largest count
/// as 0, as in numpy.linalg.lstsq of centred arrays, but rcond is at least max(R, D) epsilon: below that they are
/// rounding. O(R D min(R, D)). Throws unequal_rows.
AffineFit least_squares_with_intercept(View<const double> inputs, View<const double> targets, double rcond);

}  // namespace poslab::numerics
