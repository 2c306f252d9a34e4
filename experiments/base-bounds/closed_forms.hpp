// SPDX-License-Identifier: Apache-2.0
// Bounds that need no search: one formula each. Definitions: base-bounds.md.
// Dimension letters: J planes, L positions.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace poslab::experiments::base_bounds {

inline constexpr double circle = 2 * std::numbers::pi;

/// The angle by which a plane may rotate until `depth` products of its cosine fall to epsilon:
/// arccos(epsilon^(1/depth)).
inline double phase_allowed(double epsilon, double depth) { return std::acos(std::pow(epsilon, 1 / depth)); }

/// The distance from 1 to the next larger number of the format.
inline double machine_epsilon(const std::string& format) {
  if (format == "float64") return std::exp2(-52);
  if (format == "float32") return std::exp2(-23);
  return format == "float16" ? std::exp2(-10) : std::exp2(-7);  // bfloat16
}

/// 2 ceil(J log_base(L / 2 pi)): how many of the 2 J channels make a full turn within L positions; 0 .. 2 J.
inline double critical_dimension(double base, double J, double L) {
  return std::clamp(2 * std::ceil(J * std::log(L / circle) / std::log(base)), 0.0, 2 * J);
}

}  // namespace poslab::experiments::base_bounds
