// SPDX-License-Identifier: Apache-2.0
// What the causal mask alone does: every query attends evenly to itself and all before it.
// Dimension letters: N positions.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::experiments::first_position_bias {

using base::Index;

/// H_N / N with the harmonic number H_N = 1 + 1/2 + ... + 1/N: the mean attention on position 0.
double even_sink_share(Index length);

/// Entry t - 1 is F_t(N), the share of position 0 in the last position's context after t even layers, t = 1 .. depth.
/// Powers of the mean matrix M (M_ij = 1/i for j <= i) on the first unit vector: F_t(i) = (1/i) sum_(j <= i)
/// F_(t-1)(j). All terms are positive, so nothing cancels; the equal sum_m (-1)^m C(N-1, m) / (m+1)^t loses every digit
/// at N = 64.
std::vector<double> even_context_share(Index length, Index depth);

/// The same with residual paths, G_t(N): powers of (M + I) / 2.
std::vector<double> even_residual_context_share(Index length, Index depth);

}  // namespace poslab::experiments::first_position_bias
