// SPDX-License-Identifier: Apache-2.0
// n numbers modulo five with +, - or * between them, * before the others; at one blank what they come to.
#include <array>
#include <cstddef>

#include "parts/generated.hpp"
#include "parts/modular.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class ModularArithmetic final : public Generated {
 public:
  ModularArithmetic() : Generated("modular-arithmetic", 1) {}
  Index vocabulary() const override { return modulus + operators + 1; }
  Index tokens(Index size) const override { return 2 * size; }

  // By number: the chances of what stands before the last term, and of that term, which is not independent of it.
  Bounds bounds(Index size) const override {
    std::array<Values, modulus> now{};  // [before][term]
    now[0] = every_value_alike;
    for (Index n = 1; n < size; ++n) {
      std::array<Values, modulus> next{};
      for (std::int32_t before = 0; before < modulus; ++before)
        for (std::int32_t term = 0; term < modulus; ++term)
          for (std::int32_t number = 0; number < modulus; ++number) {
            const double share = now[base::at(before)][base::at(term)] / (modulus * operators);
            const auto sum = base::at((before + term) % modulus);
            next[sum][base::at(number)] += share;
            next[sum][base::at((modulus - number) % modulus)] += share;
            next[base::at(before)][base::at(term * number % modulus)] += share;
          }
      now = next;
    }
    Values values{};
    for (std::size_t before = 0; before < modulus; ++before)
      for (std::size_t term = 0; term < modulus; ++term) values[(before + term) % modulus] += now[before][term];
    return bounds_of(values);
  }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    Tokens expression{dice.token(modulus)};
    std::int32_t before = 0, term = expression[0];
    for (Index n = 1; n < size; ++n) {
      const std::int32_t sign = plus_sign + dice.token(operators), number = dice.token(modulus);
      expression.push_back(sign);
      expression.push_back(number);
      if (sign == times_sign) {
        term = calculated(times_sign, term, number);
      } else {
        before = calculated(plus_sign, before, term);
        term = calculated(sign, 0, number);
      }
    }
    return at_blanks(expression, {calculated(plus_sign, before, term)}, modulus + operators);
  }
};

}  // namespace

TaskInfo make_modular_arithmetic() {
  return {.title = "modular arithmetic, at a blank",
          .sentence = "At a blank behind an expression without brackets, say its value modulo five.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), modular arithmetic (simple)",
          .size_means = "numbers",
          .make = make_task<ModularArithmetic>};
}

}  // namespace poslab::tasks
