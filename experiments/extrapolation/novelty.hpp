// SPDX-License-Identifier: Apache-2.0
// How far a code is from all those that training showed.
// Dimension letters: P tested rows, T trained rows, W width.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::experiments::extrapolation {

using base::Index;
using base::View;

/// Distance of each row of `tested` [P, W] to the nearest row of `trained` [T, W]: exact over all pairs, O(P T W).
/// A blocked product gives all squared distances up to a rounding that is bounded; what may be nearest is measured
/// again.
std::vector<double> nearest_distances(View<const double> tested, View<const double> trained);

/// Root mean square of |phi(p + 1) - phi(p)| over neighbours p, p + 1 of the rows [T, W]; 0 where there are none.
double neighbour_distance(View<const double> rows);

/// distance / unit; 0 where the distance is 0; NaN where only the unit is 0: training showed one code, and this is
/// another.
double novelty(double distance, double unit);

}  // namespace poslab::experiments::extrapolation
