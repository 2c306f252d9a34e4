// SPDX-License-Identifier: Apache-2.0
// Bounds that need no search: one formula each. Definitions: base-bounds.md.
// Dimension letters: J planes, L positions.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace poslab::experiments::base_bounds {

inline constexpr double circle = 2 * std::numbers::pi;

/// The angle by which a plane may rotate until `depth` products of its cosine fall to epsilon:
/// arccos(epsilon^(1/depth)).
inline double phase_allowed(double epsilon, double depth) { return std::acos(std::pow(epsilon, 1 / depth)); }

enum class Format { float32, bfloat16, float16, float64 };
struct FormatFacts {
  const char* name;
  double epsilon;  ///< the distance from 1 to the next larger number
};
constexpr FormatFacts facts_of(Format format) {
  switch (format) {
    case Format::float32: return {"float32", 0x1p-23};
    case Format::bfloat16: return {"bfloat16", 0x1p-7};
    case Format::float16: return {"float16", 0x1p-10};
    case Format::float64: break;
  }
  return {"float64", 0x1p-52};
}

/// 2 ceil(J log_base(L / 2 pi)): how many of the 2 J channels make a full turn within L positions; 0 .. 2 J.
inline double critical_dimension(double base, double J, double L) {
  return std::clamp(2 * std::ceil(J * std::log(L / circle) / std::log(base)), 0.0, 2 * J);
}

}  // namespace poslab::experiments::base_bounds
