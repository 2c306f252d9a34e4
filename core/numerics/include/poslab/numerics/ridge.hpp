// SPDX-License-Identifier: Apache-2.0
// Ridge regression with an intercept that is not penalised: the M and b for which
//   |X M + 1 b^T - Y|^2 + penalty |M|^2    (Frobenius norms)
// is smallest. There is exactly one, whatever the rank of X.
// Dimension letters: R rows to fit, D inputs, E targets.
#pragma once

#include "poslab/base/error.hpp"
#include "poslab/numerics/affine_map.hpp"

namespace poslab::numerics {

/// X [R, D] and Y [R, E], finite, R >= 1, D >= 1. One factorisation of D x D numbers or, where R < D, of R x R ones:
/// O(R D min(R, D)). Throws base::Error for a penalty that is not
/// above 0, or so small beside the inputs that rounding swallows it, and for unequal rows.
AffineMap ridge(View<const double> inputs, View<const double> targets, double penalty);

}  // namespace poslab::numerics
