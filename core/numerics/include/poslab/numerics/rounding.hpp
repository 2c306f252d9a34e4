// SPDX-License-Identifier: Apache-2.0
// Numbers as a format with fewer bits stores them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace poslab::numerics {

/// The nearest bfloat16, as a float: 8 bits of significand instead of 24, ties to even. Beyond the largest, infinity.
inline float to_bfloat16(float x) {
  if (std::isnan(x)) return x;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t half_and_even = 0x7fff + ((bits >> 16) & 1);
  return std::bit_cast<float>((bits + half_and_even) & 0xffff0000u);
}

}  // namespace poslab::numerics
