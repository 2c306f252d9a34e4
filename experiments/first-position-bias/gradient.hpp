// SPDX-License-Identifier: Apache-2.0
// The gradient share: how much the last token's output hangs on the first one's input.
#pragma once

#include <vector>

#include "first-position-bias.hpp"
#include "stack.hpp"

namespace poslab::experiments::first_position_bias {

/// After each of `depths` layers (rising) of the stack of these contents [N, D] and projections: g_0 / sum_i g_i with
/// g_i = |d <u, y_(N-1)> / d x_i|, u a random direction that all schemes share. Without `with_positions` the scheme is
/// left out. 0 where no token has a gradient, and where token 0's is below N machine epsilons of the sum, so that
/// nothing tells it from rounding.
template <class S>
std::vector<double> gradient_shares(const FirstPositionBias& at, const ExperimentInput& input,
                                    const Array<double>& content, const std::vector<Projections<S>>& projections,
                                    bool with_positions, const std::vector<double>& depths);

}  // namespace poslab::experiments::first_position_bias
