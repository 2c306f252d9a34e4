// SPDX-License-Identifier: Apache-2.0
// Any angle, however large, brought to [-pi/4, pi/4]: its product with 2/pi in integers, of which only the bits
// around the point are computed (Payne and Hanek). One angle at a time; the rare path of trigonometry.hpp.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace poslab::sdk {

struct HugeReduction {
  double head, tail;       ///< the angle less quarter turns, as a sum
  std::uint64_t quarters;  ///< how many, modulo 2^64
};

// The bits of 2/pi behind the point, after one word of zeros.
inline constexpr std::uint64_t two_over_pi_bits[] = {0,
                                                     0xa2f9836e4e441529U,
                                                     0xfc2757d1f534ddc0U,
                                                     0xdb6295993c439041U,
                                                     0xfe5163abdebbc561U,
                                                     0xb7246e3a424dd2e0U,
                                                     0x06492eea09d1921cU,
                                                     0xfe1deb1cb129a73eU,
                                                     0xe88235f52ebb4484U,
                                                     0xe99c7026b45f7e41U,
                                                     0x3991d639835339f4U,
                                                     0x9c845f8bbdf9283bU,
                                                     0x1ff897ffde05980fU,
                                                     0xef2f118b5a0a6d1fU,
                                                     0x6d367ecf27cb09b7U,
                                                     0x4f463f669e5fea2dU,
                                                     0x7527bac7ebe5f17bU,
                                                     0x3d0739f78a5292eaU,
                                                     0x6bfb5fb11f8d5d08U,
                                                     0x56033046fc7b6babU,
                                                     0xf0cfbc209af4361dU};

/// 64 bits of two_over_pi_bits from bit `first` on.
inline std::uint64_t bits_from(int first) {
  const std::size_t word = static_cast<std::size_t>(first) / 64;
  const unsigned shift = static_cast<unsigned>(first) % 64U;
  const std::uint64_t upper = two_over_pi_bits[word];
  return shift == 0 ? upper : upper << shift | two_over_pi_bits[word + 1] >> (64U - shift);
}

/// For |angle| of at least 2^20; not finite gives NaN.
inline HugeReduction reduce_huge(double angle) {
  __extension__ using Wide = unsigned __int128;
  if (!std::isfinite(angle)) return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  int exponent = 0;  // |angle| = mantissa 2^exponent
  const double fraction = std::frexp(std::abs(angle), &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  // 192 bits of 2/pi from the weight 2^(1 - exponent) on: what lies above gives whole turns.
  const int first = 64 + exponent - 2;
  const Wide low = Wide{mantissa} * bits_from(first + 128);
  const Wide middle = Wide{mantissa} * bits_from(first + 64) + static_cast<std::uint64_t>(low >> 64U);
  const std::uint64_t high = mantissa * bits_from(first) + static_cast<std::uint64_t>(middle >> 64U);
  // The product modulo 4: two bits before the point, the rest behind it.
  std::uint64_t quarters = high >> 62U;
  Wide part = (Wide{high} << 64U | static_cast<std::uint64_t>(middle)) << 2U | static_cast<std::uint64_t>(low) >> 62U;
  const bool upper_half = (part >> 127U) != 0;
  if (upper_half) part = -part, ++quarters;
  // x87's 64 bits hold the product well enough for head and tail.
  constexpr long double half_pi = 1.57079632679489661923132169163975144L;
  const long double reduced = std::ldexp(static_cast<long double>(part), -128) * half_pi;
  double head = static_cast<double>(reduced), tail = static_cast<double>(reduced - static_cast<long double>(head));
  const bool negative = (angle < 0) != upper_half;
  if (negative) head = -head, tail = -tail;
  if (angle < 0) quarters = -quarters;
  return {head, tail, quarters};
}

}  // namespace poslab::sdk
