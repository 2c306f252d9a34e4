// SPDX-License-Identifier: Apache-2.0
// Arithmetic with numbers modulo five: the symbols of expressions, and what chances of values become.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "parts/counts.hpp"

namespace poslab::tasks {

inline constexpr std::int32_t modulus = 5;
/// Symbols after the five numbers.
inline constexpr std::int32_t plus_sign = 5, minus_sign = 6, times_sign = 7;
inline constexpr std::int32_t operators = 3;

/// The chance of each value.
using Values = std::array<double, modulus>;

inline std::int32_t calculated(std::int32_t sign, std::int32_t a, std::int32_t b) {
  if (sign == plus_sign) return (a + b) % modulus;
  return sign == minus_sign ? (a + modulus - b) % modulus : a * b % modulus;
}

/// The values of `a sign b`, where those of a and b are independent.
inline Values calculated(std::int32_t sign, const Values& a, const Values& b) {
  Values out{};
  for (std::int32_t x = 0; x < modulus; ++x)
    for (std::int32_t y = 0; y < modulus; ++y)
      out[static_cast<std::size_t>(calculated(sign, x, y))] +=
          a[static_cast<std::size_t>(x)] * b[static_cast<std::size_t>(y)];
  return out;
}

inline constexpr Values every_value_alike{0.2, 0.2, 0.2, 0.2, 0.2};

inline Bounds bounds_of(const Values& values) { return certain(values); }

}  // namespace poslab::tasks
