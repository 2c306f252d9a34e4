// SPDX-License-Identifier: Apache-2.0
// Finding numbers that are not finite, in one pass over their bits that the compiler makes vector code of.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace poslab::host {

template <class S>
using BitsOf = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;

/// The bits of infinity: those of finite numbers without their sign are below, those of NaN above.
template <class S>
constexpr auto infinite_bits = std::bit_cast<BitsOf<S>>(std::numeric_limits<S>::infinity());

template <class S>
BitsOf<S> magnitude_bits(S x) {
  return std::bit_cast<BitsOf<S>>(x) & (std::numeric_limits<BitsOf<S>>::max() >> 1);
}

/// Whether a number is finite or, with `may_be_infinite`, -infinity.
template <class S>
bool is_allowed(S x, bool may_be_infinite) {
  return magnitude_bits(x) < infinite_bits<S> || (may_be_infinite && x == -std::numeric_limits<S>::infinity());
}

/// Whether every number is. Both halves side by side: what lies far apart comes from memory a quarter sooner.
template <class S>
bool all_finite(std::span<const S> numbers, bool may_be_infinite) {
  const std::size_t half = numbers.size() / 2;
  const S *const one = numbers.data(), *const other = one + half;
  BitsOf<S> largest = numbers.size() % 2 == 0 ? 0 : magnitude_bits(numbers.back());
  for (std::size_t i = 0; i < half; ++i)
    largest = std::max(largest, std::max(magnitude_bits(one[i]), magnitude_bits(other[i])));
  if (largest < infinite_bits<S>) return true;
  return may_be_infinite && std::all_of(numbers.begin(), numbers.end(), [](S x) { return is_allowed(x, true); });
}

/// The index of the first number that all_finite objects to. Precondition: there is one.
template <class S>
std::size_t first_not_finite(std::span<const S> numbers, bool may_be_infinite) {
  std::size_t i = 0;
  while (is_allowed(numbers[i], may_be_infinite)) ++i;
  return i;
}

}  // namespace poslab::host
