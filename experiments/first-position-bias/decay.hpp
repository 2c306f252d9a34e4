// SPDX-License-Identifier: Apache-2.0
// How fast a scheme's logits fall with distance: what a ratio of shares like 2^-255 hides, which is that number times
// the distance. Dimension letters: H heads, N positions.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::experiments::first_position_bias {

/// For each head, minus the slope of the straight line that fits `logits` - `none` [H, N] best against the distance
/// N - 1 - j of key j, by least squares. NaN where N = 1, or where a logit is not finite.
std::vector<double> decays(poslab::base::View<const double> logits, poslab::base::View<const double> none);

}  // namespace poslab::experiments::first_position_bias
