// SPDX-License-Identifier: Apache-2.0
// A linear probe for the place of a token.
// Dimension letters: B sequences, T tokens, D channels.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::experiments::survival {

using base::Array;
using base::Index;
using base::View;

struct Found {
  double r2, mean_absolute_error;
  double fitted_r2;  ///< of the rows that it was fitted on
};

/// Fits places 0 .. T-1 on the first `fitted` of `stream` [B, T, D] and judges on the others; T >= 2. Channels are
/// standardised by the fitted rows; one whose deviation is below `constant` of its root mean square tells nothing.
Found probe_places(View<const double> stream, Index fitted, double penalty, double constant);

/// The mean |p - (T - 1) / 2| over p = 0 .. T-1.
double error_of_chance(Index length);

}  // namespace poslab::experiments::survival
