// SPDX-License-Identifier: Apache-2.0
#include "parts/decimal.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "parts/counts.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {

Tokens decimal_digits(Dice& dice, Index count) {
  Tokens digits = dice.tokens(count, 10);
  digits.front() = 1 + dice.token(9);
  return digits;
}

Tokens decimal_sum(const Tokens& a, const Tokens& b) {
  Tokens sum(a.size() + 1);
  std::int32_t carry = 0;
  for (std::size_t i = a.size(); i > 0; --i) {
    const std::int32_t both = a[i - 1] + b[i - 1] + carry;
    sum[i] = both % 10;
    carry = both / 10;
  }
  sum[0] = carry;
  if (carry == 0) sum.erase(sum.begin());
  return sum;
}

// All but the first one or two digits are uniform, since a uniform digit is added to something.
std::array<double, 10> expected_sum_digits(Index count) {
  std::array<double, 10> often{};
  double carries = 0;
  for (Index j = 1; j < count; ++j) {
    carries = 0.45 + 0.1 * carries;
    for (std::size_t digit = 0; digit < 10; ++digit) often[digit] += 0.1;
  }
  for (std::size_t both = 0; both < 81; ++both)
    for (const std::size_t carry : {0, 1}) {
      const double share = (carry ? carries : 1 - carries) / 81;
      const std::size_t sum = 1 + both / 9 + 1 + both % 9 + carry;
      often[sum % 10] += share;
      if (sum >= 10) often[1] += share;
    }
  return often;
}

Index DecimalAddition::vocabulary() const { return decimal_symbols + mark_count; }
Index DecimalAddition::tokens(Index size) const { return prompted_tokens(2 * size + 1, size + 1); }

Bounds DecimalAddition::bounds(Index size) const {
  std::array<double, 11> asked{};
  const std::array<double, 10> digits = expected_sum_digits(size);
  std::copy(digits.begin(), digits.end(), asked.begin());
  asked.back() = 1;  // the end
  return certain(asked);
}

Sequence DecimalAddition::draw(Dice& dice, Index size) const {
  Tokens a = decimal_digits(dice, size), b = decimal_digits(dice, size), sum = decimal_sum(a, b);
  if (order_ == Digits::little_endian)
    for (Tokens* digits : {&a, &b, &sum}) std::reverse(digits->begin(), digits->end());
  return prompted(joined(joined(a, {decimal_plus}), b), sum, marks_after(decimal_symbols), size + 1);
}

}  // namespace poslab::tasks
