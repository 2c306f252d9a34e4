// SPDX-License-Identifier: Apache-2.0
// Logistic regression with an L2 penalty on the weights and none on the intercept: the w and b for which
//   |w|^2 / 2 + sum_i log(1 + exp(-s_i (<w, x_i> + b)))    s_i = +1 or -1
// is smallest. It is strictly convex: there is exactly one such w. (scikit-learn's LogisticRegression with C = 1; for
// another C give C times the products.) The inputs enter by their inner products alone, w = sum_i a_i x_i: what counts
// is the number of rows, not of inputs.
// Dimension letter: R rows to fit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/error.hpp"

namespace poslab::numerics {

using base::Index;
using base::View;

struct LogisticFit {
  std::vector<double> weights;  ///< a [R]: what is predicted for x is sum_i a_i <x_i, x> + intercept, above 0 for 1
  double intercept = 0;
  double objective = 0;
  double excess = 0;  ///< the objective's minimum is nearer than this
};

/// Inner products [R, R] of the rows to fit, finite; labels [R], 0 or 1. Damped Newton until the excess is below 1e-12:
/// the least over b is 1-strongly convex in w, so that half its squared gradient bounds it. O(R^3) for each of about
/// eight steps. Throws base::Error where all labels are the same, where the excess stays above 1e-6, or for unequal
/// rows.
LogisticFit logistic_regression(View<const double> products, std::span<const std::uint8_t> labels);

}  // namespace poslab::numerics
