// SPDX-License-Identifier: Apache-2.0
// An expression of n tokens of numbers modulo five, signs and brackets around each pair; at one blank its value.
#include <cstddef>
#include <utility>
#include <vector>

#include "parts/generated.hpp"
#include "parts/modular.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

constexpr std::int32_t opening = modulus + operators, closing = opening + 1;

struct Expression {
  Tokens tokens;
  std::int32_t value;
};

// One to four tokens are a, -a, (a) and (-a); more are (left sign right), the length of the left one drawn.
Expression drawn_expression(Dice& dice, Index length) {
  if (length <= 4) {
    const std::int32_t number = dice.token(modulus);
    Expression made{{number}, length % 2 == 0 ? calculated(minus_sign, 0, number) : number};
    if (length % 2 == 0) made.tokens.insert(made.tokens.begin(), minus_sign);
    if (length < 3) return made;
    made.tokens.insert(made.tokens.begin(), opening);
    made.tokens.push_back(closing);
    return made;
  }
  const Index left_length = 1 + dice.below(length - 4);
  const Expression left = drawn_expression(dice, left_length), right = drawn_expression(dice, length - 3 - left_length);
  const std::int32_t sign = plus_sign + dice.token(operators);
  const Tokens front = joined({opening}, left.tokens), back = joined(right.tokens, {closing});
  return {joined(joined(front, {sign}), back), calculated(sign, left.value, right.value)};
}

class ModularBrackets final : public Generated {
 public:
  ModularBrackets() : Generated("modular-brackets", 1) {}
  Index vocabulary() const override { return closing + 2; }
  Index tokens(Index size) const override { return size + 1; }
  Bounds bounds(Index size) const override {
    std::vector<Values> by_length(5, every_value_alike);
    for (Index length = 5; length <= size; ++length) {
      Values values{};
      for (Index left = 1; left <= length - 4; ++left)
        for (const std::int32_t sign : {plus_sign, minus_sign, times_sign}) {
          const Values some = calculated(sign, by_length[base::at(left)], by_length[base::at(length - 3 - left)]);
          for (std::size_t v = 0; v < some.size(); ++v)
            values[v] += some[v] / static_cast<double>(operators * (length - 4));
        }
      by_length.push_back(values);
    }
    return bounds_of(by_length[base::at(size)]);
  }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    const Expression drawn = drawn_expression(dice, size);
    return at_blanks(drawn.tokens, {drawn.value}, closing + 1);
  }
};

}  // namespace

TaskInfo make_modular_brackets() {
  return {.title = "modular arithmetic with brackets, at a blank",
          .sentence = "At a blank behind an expression with brackets, say its value modulo five.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), modular arithmetic",
          .size_means = "tokens of the expression",
          .make = make_task<ModularBrackets>};
}

}  // namespace poslab::tasks
