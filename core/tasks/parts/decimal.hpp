// SPDX-License-Identifier: Apache-2.0
// Decimal numbers of n digits, and the addition of two of them, after a prompt.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {

/// The symbol after the ten digits, and how many there are.
inline constexpr std::int32_t decimal_plus = 10;
inline constexpr Index decimal_symbols = 11;

/// The greatest digit first, and not 0.
Tokens decimal_digits(Dice& dice, Index count);
/// The sum of two numbers of as many digits: one digit more where there is a carry.
Tokens decimal_sum(const Tokens& a, const Tokens& b);

/// How often each digit stands in the sum of two such numbers.
std::array<double, 10> expected_sum_digits(Index count);

/// In which order all three numbers are written.
enum class Digits { big_endian, little_endian };

/// a, plus, b -> their n or n + 1 digits. The first digit of neither number is 0.
class DecimalAddition : public Generated {
 public:
  DecimalAddition(std::string id, Digits order) : Generated(std::move(id), 1), order_(order) {}
  Index vocabulary() const override;
  Index tokens(Index size) const override;
  Bounds bounds(Index size) const override;

 private:
  Sequence draw(Dice& dice, Index size) const override;

  Digits order_;
};

}  // namespace poslab::tasks
