// SPDX-License-Identifier: Apache-2.0
// The two probes of Wang and Chen: which position is it, and which of two comes first?
// Dimension letters: N positions, D model width, P pairs.
#pragma once

#include <span>
#include <utility>

#include "poslab/base/array.hpp"

namespace poslab::experiments::decodability {

using base::Index;
using base::View;

struct PositionProbe {
  double error = 0;     ///< mean over folds of mean |round(predicted) - position|
  double chance = 0;    ///< the same of predicting the mean of the positions fitted to
  double residual = 0;  ///< largest |predicted - position|
  Index rank = 0;       ///< the smallest of the fits
};

/// Least squares with an intercept of the position n on row n of codes [N, D], cross-validated over contiguous blocks
/// of `order`, a permutation of 0 .. N-1.
PositionProbe probe_position(View<const double> codes, std::span<const Index> order, Index folds, double rcond);

struct OrderProbe {
  double error = 0;   ///< mean over folds of the share of pairs that are told wrongly
  double chance = 0;  ///< the same of always saying what is commoner among the pairs fitted to
};

/// Logistic regression of "the second comes later" on [code of the first, code of the second], cross-validated over
/// stratified folds. Throws data::Refused where the pairs fitted to are of one class.
OrderProbe probe_order(View<const double> codes, std::span<const std::pair<Index, Index>> pairs, Index folds);

}  // namespace poslab::experiments::decodability
