// SPDX-License-Identifier: Apache-2.0
// Numbers as formats with fewer bits store them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
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

/// The nearest bfloat16, as a float: 8 bits of significand instead of 24, ties to even. Beyond the largest, infinity.
inline float to_bfloat16(float x) {
  if (std::isnan(x)) return x;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t half_and_even = 0x7fff + ((bits >> 16) & 1);
  return std::bit_cast<float>((bits + half_and_even) & 0xffff0000u);
}

}  // namespace poslab::numerics
