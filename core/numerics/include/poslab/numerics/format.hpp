// SPDX-License-Identifier: Apache-2.0
// Formats of numbers in 16 bits, emulated: the number that such a format stores, as a double.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace poslab::numerics {

/// A binary floating-point format with subnormal numbers.
struct Format {
  const char* name;
  int significand_bits;  ///< the leading one included
  int lowest_exponent;   ///< of the smallest normal number, a power of two
  double largest;
};
inline constexpr Format float16{"float16", 11, -14, 65504};
inline constexpr Format bfloat16{"bfloat16", 8, -126, 0x1.fep127};

/// The nearest number of the format, ties to even; beyond the largest, infinity.
inline double rounded(double x, const Format& format) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int exponent = std::max(std::ilogb(x), format.lowest_exponent);
  const double step = std::ldexp(1.0, exponent - (format.significand_bits - 1));
  const double nearest = std::nearbyint(x / step) * step;
  return std::abs(nearest) > format.largest ? std::copysign(std::numeric_limits<double>::infinity(), x) : nearest;
}

}  // namespace poslab::numerics
