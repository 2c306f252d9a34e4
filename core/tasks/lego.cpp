// SPDX-License-Identifier: Apache-2.0
// n letters, the first of which is + or -, and each other one the letter before it, or its opposite; these clauses
// stand in any order. After them the letters along the chain, and at each its sign.
#include <fmt/format.h>
#include <cmath>
#include <cstddef>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class Lego final : public Generated {
 public:
  Lego() : Generated("lego", 1) {}
  Index vocabulary() const override { return letters + 3; }
  Index tokens(Index size) const override { return 4 * size; }
  std::optional<base::Refusal> why_not(Index size) const override {
    if (size <= letters) return Generated::why_not(size);
    return fmt::format("the task lego has no instances of size {}: there are {} letters", size, letters);
  }
  Bounds bounds(Index /*size*/) const override { return certain(0.5, std::log(2.0)); }

 private:
  static constexpr Index letters = 64;
  static constexpr std::int32_t plus = letters, minus = letters + 1, one = letters + 2;

  // A clause is a letter, a sign, and the letter before it in the chain; of the first letter, a one.
  Sequence draw(Dice& dice, Index size) const override {
    const std::vector<Index> chain = dice.different(size, letters);
    std::vector<Tokens> clauses;
    Tokens values;
    for (std::size_t n = 0; n < chain.size(); ++n) {
      const std::int32_t sign = dice.happens(0.5) ? plus : minus;
      const bool kept = sign == plus;
      values.push_back(n == 0 ? sign : kept ? values.back() : plus + minus - values.back());
      clauses.push_back(
          {static_cast<std::int32_t>(chain[n]), sign, n == 0 ? one : static_cast<std::int32_t>(chain[n - 1])});
    }
    std::vector<Index> order(chain.size());
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = static_cast<Index>(n);
    dice.shuffle(order);
    Sequence sequence;
    for (const Index clause : order)
      for (const std::int32_t token : clauses[base::at(clause)]) add_token(sequence, token);
    for (std::size_t n = 0; n < chain.size(); ++n) add_token(sequence, static_cast<std::int32_t>(chain[n]), values[n]);
    return sequence;
  }
};

}  // namespace

TaskInfo make_lego() {
  return {.title = "chains of reasoning (LEGO)",
          .sentence = "Say the sign of each letter of a chain whose clauses stand in any order.",
          .source = "after Zhang et al. 2022 (arXiv:2206.04301), LEGO with the group of two signs",
          .size_means = "letters of the chain",
          .make = make_task<Lego>};
}

}  // namespace poslab::tasks
