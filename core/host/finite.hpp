// SPDX-License-Identifier: Apache-2.0
// Finding numbers that are not finite, in one pass over their bits that the compiler makes vector code of.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace poslab::host {

/// Whether every number is finite or, with `may_be_infinite`, finite or -infinity.
template <class S>
bool all_finite(std::span<const S> numbers, bool may_be_infinite) {
  using Bits = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<S>::infinity());
  constexpr Bits minus_infinity = std::bit_cast<Bits>(-std::numeric_limits<S>::infinity());
  const Bits excused = may_be_infinite ? minus_infinity : 0;  // 0 is never among the numbers in question
  Bits found = 0;
  for (const S x : numbers) {
    const Bits bits = std::bit_cast<Bits>(x);
    found |= Bits{(bits & exponent) == exponent} & Bits{bits != excused};
  }
  return found == 0;
}

/// The index of the first number that all_finite objects to. Precondition: there is one.
template <class S>
std::size_t first_not_finite(std::span<const S> numbers, bool may_be_infinite) {
  std::size_t i = 0;
  while (all_finite(numbers.subspan(i, 1), may_be_infinite)) ++i;
  return i;
}

}  // namespace poslab::host
