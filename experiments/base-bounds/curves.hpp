// SPDX-License-Identifier: Apache-2.0
// What the angles of a base do by distance: the sum of their cosines, RoFormer's bound, and how far a score may lie
// from the straight line between two neighbouring positions. Dimension letters: J planes, L positions.
#pragma once

#include <optional>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::experiments::base_bounds {

using base::Index;

struct Cosines {
  double least = 1;                     ///< of their mean over planes, at distances 0 .. L - 1
  std::optional<Index> first_negative;  ///< the first distance at which it is below 0
};
Cosines cosines(const std::vector<double>& angles, Index L);

struct LeastBound {
  double bound = 0;  ///< B(s) / 2 J, B(s) = sum_(j=1..J) |sum_(i<j) exp(i s theta_i)|
  Index distance = 0;
};
/// Over s = 0 .. L - 1; the first of equal ones.
LeastBound least_bound(const std::vector<double>& angles, Index L);

/// The largest distance of a score from the straight line between its values at two neighbouring positions, over the
/// 2 J channels and the largest |h_i|: sum_i (1 - cos(theta_i / 2)) / 2 J.
double interpolation_error(const std::vector<double>& angles);

}  // namespace poslab::experiments::base_bounds
