// SPDX-License-Identifier: Apache-2.0
// Two numbers in bits, the least first, with a 2 between them: n tokens; and n + 1 blanks, where the sum stands, in
// bits as far as it goes, and then a 2. Blanks behind that are not asked.
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

// A number from 1 to 2^count - 1, each alike.
Tokens positive_bits(Dice& dice, Index count) {
  for (;;) {
    Tokens bits = dice.tokens(count, 2);
    if (std::find(bits.begin(), bits.end(), 1) != bits.end()) return bits;
  }
}

Tokens sum_of_bits(const Tokens& a, const Tokens& b) {
  Tokens sum;
  std::int32_t carry = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::int32_t both = (i < a.size() ? a[i] : 0) + (i < b.size() ? b[i] : 0) + carry;
    sum.push_back(both % 2);
    carry = both / 2;
  }
  sum.push_back(carry);
  while (sum.size() > 1 && sum.back() == 0) sum.pop_back();
  return sum;
}

// Zeros and ones in the sum of two numbers of so many bits, neither of them 0. From the least bit on: how likely a
// carry is, while each number is still 0 or not any more; and beside it, how many ones and bits up to the last one
// there are then, times that chance.
std::pair<double, double> expected_sum_bits(Index first, Index second) {
  struct Expected {
    double chance = 0, ones = 0, bits = 0;
  };
  using ByState = std::array<Expected, 8>;  // [carry + 2 * (the first is not 0) + 4 * (the second is not 0)]
  ByState now{};
  now[0].chance = 1;
  const Index all = std::max(first, second) + 1;
  for (Index bit = 0; bit < all; ++bit) {
    ByState next{};
    const std::size_t of_first = bit < first ? 2 : 1, of_second = bit < second ? 2 : 1;
    for (std::size_t state = 0; state < now.size(); ++state)
      for (std::size_t a = 0; a < of_first; ++a)
        for (std::size_t b = 0; b < of_second; ++b) {
          const std::size_t sum = a + b + state % 2;
          const auto share = 1 / static_cast<double>(of_first * of_second);
          Expected& to = next[sum / 2 + ((state & 2) | 2 * a) + ((state & 4) | 4 * b)];
          to.chance += share * now[state].chance;
          to.ones += share * (now[state].ones + static_cast<double>(sum % 2) * now[state].chance);
          to.bits += share * (sum % 2 ? static_cast<double>(bit + 1) * now[state].chance : now[state].bits);
        }
    now = next;
  }
  const Expected& both = now[6];  // the last carry has become a bit
  return {(both.bits - both.ones) / both.chance, both.ones / both.chance};
}

class BinaryAddition final : public Generated {
 public:
  BinaryAddition() : Generated("binary-addition", 1) {}
  Index vocabulary() const override { return 4; }
  Index tokens(Index size) const override { return 2 * size + 1; }
  Bounds bounds(Index size) const override {
    if (size == 1) return certain(std::array{1.0, 0.0, 1.0});       // 0, and the end
    if (size == 2) return certain(std::array{2. / 3, 2. / 3, 1.});  // 0, 1, or 0 1
    std::array<double, 3> asked{0, 0, 1};
    for (Index first = 1; first <= size - 2; ++first) {
      const auto [zeros, ones] = expected_sum_bits(first, size - 1 - first);
      asked[0] += zeros / static_cast<double>(size - 2);
      asked[1] += ones / static_cast<double>(size - 2);
    }
    return certain(asked);
  }

 private:
  static constexpr std::int32_t plus = 2, end = 2, blank = 3;

  Sequence draw(Dice& dice, Index size) const override {
    const Drawn drawn = size <= 2 ? one_number(dice, size) : two_numbers(dice, size);
    Tokens answer = drawn.sum;
    answer.push_back(end);
    return blanks_up_to(drawn.expression, answer, size + 1, blank);
  }

  struct Drawn {
    Tokens expression, sum;
  };
  // There is no room for two: one number, 0 .. 2^size - 2 as the authors' code draws it, is its own sum.
  static Drawn one_number(Dice& dice, Index size) {
    const auto number = static_cast<std::int32_t>(dice.below(size == 1 ? 1 : 3));
    const Tokens bits = size == 1 ? Tokens{number} : Tokens{number % 2, number / 2};
    return {bits, sum_of_bits(bits, {})};
  }
  static Drawn two_numbers(Dice& dice, Index size) {
    const Index first = 1 + dice.below(size - 2);
    const Tokens a = positive_bits(dice, first), b = positive_bits(dice, size - 1 - first);
    return {joined(joined(a, {plus}), b), sum_of_bits(a, b)};
  }
};

}  // namespace

TaskInfo make_binary_addition() {
  return {.title = "binary addition, at blanks",
          .sentence = "At blanks behind two binary numbers, the least bit first, say their sum.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), binary addition",
          .size_means = "tokens of both numbers and the sign between them",
          .make = make_task<BinaryAddition>};
}

}  // namespace poslab::tasks
