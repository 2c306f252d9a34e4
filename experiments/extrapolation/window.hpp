// SPDX-License-Identifier: Apache-2.0
// The effective window: how many keys it takes to hold most of the attention.
#pragma once

#include <span>

#include "poslab/base/array.hpp"

namespace poslab::experiments::extrapolation {

/// The smallest number of weights (not negative) whose sum is at least `share` of the whole, up to 1e-12 of it, so that
/// nine of ten equal weights hold 0.9 whatever their rounding. O(n).
base::Index effective_window(std::span<const double> weights, double share);

}  // namespace poslab::experiments::extrapolation
