// SPDX-License-Identifier: Apache-2.0
// What a curve over distances 0, 1, 2 ... is like: whether it falls, how soon, and whether it is the same on both
// sides.
#pragma once

#include <cstddef>
#include <vector>

namespace poslab::experiments::distance_profile {

/// The curve at 0 less its mean over the farther half of the distances; NaN if there is but one distance.
double fall(const std::vector<double>& curve);

/// The share of steps r -> r + 1 along which the curve does not rise by more than `slack`; NaN if there is no step.
double monotonicity(const std::vector<double>& curve, double slack);

/// The least r > 0 from which on the curve is below its value at 0 by 1 or more, but for `slack`; NaN if there is none.
double decay_length(const std::vector<double>& curve, double slack);

/// The root mean square of curve(r) - curve(-r) over r > 0, for a curve with as many distances before `zero` as after
/// it; NaN if there are none.
double asymmetry(const std::vector<double>& curve, std::size_t zero);

/// The first r from which the curve rises to r + 1 by more than `slack`; NaN if it never does.
double first_rise(const std::vector<double>& curve, double slack);

/// The mean of r under a softmax over the curve's values at r = 0, 1, 2 ...
double mean_under_softmax(const std::vector<double>& logits);

}  // namespace poslab::experiments::distance_profile
