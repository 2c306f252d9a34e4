// SPDX-License-Identifier: Apache-2.0
// A stack of bits, its bottom first, and then what is done to it: pop (2), push 0 (3) or push 1 (4); n tokens. At n + 1
// blanks what is left, its top first, and then a 2. Blanks behind that are not asked.
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class StackManipulation final : public Generated {
 public:
  StackManipulation() : Generated("stack-manipulation", 1) {}
  Index vocabulary() const override { return 6; }
  Index tokens(Index size) const override { return 2 * size + 1; }
  // What is left are bits, each alike, as many as the stack is high in the end.
  Bounds bounds(Index size) const override {
    const double bits = expected_height(size) / 2;
    return certain(std::array{bits, bits, 1.0});
  }

 private:
  static constexpr std::int32_t pop = 2, push = 3, end = 2, blank = 5;

  // By how many tokens have been read: the chance of each height after as many, if the actions have begun by then.
  static double expected_height(Index size) {
    if (size == 1) return 1;
    std::vector<double> now(static_cast<std::size_t>(size), 0);
    for (Index read = 1; read < size; ++read) {
      now[base::at(read)] += 1 / static_cast<double>(size - 1);
      std::vector<double> next(now.size() + 1, 0);
      for (std::size_t height = 0; height < now.size(); ++height) {
        next[height > 0 ? height - 1 : 0] += now[height] / 3;
        next[height + 1] += now[height] * 2 / 3;
      }
      now = std::move(next);
    }
    double expected = 0;
    for (std::size_t height = 0; height < now.size(); ++height) expected += static_cast<double>(height) * now[height];
    return expected;
  }

  Sequence draw(Dice& dice, Index size) const override {
    const Index height = size == 1 ? 1 : 1 + dice.below(size - 1);
    Tokens input = dice.tokens(height, 2), stack = input;
    for (Index action = height; action < size; ++action) {
      input.push_back(pop + dice.token(3));
      if (input.back() != pop)
        stack.push_back(input.back() - push);
      else if (!stack.empty())
        stack.pop_back();
    }
    Tokens answer(stack.rbegin(), stack.rend());
    answer.push_back(end);
    return blanks_up_to(input, answer, size + 1, blank);
  }
};

}  // namespace

TaskInfo make_stack_manipulation() {
  return {.title = "stack manipulation, at blanks",
          .sentence = "At blanks behind a stack and what is done to it, say what is left, its top first.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), stack manipulation",
          .size_means = "tokens of stack and actions",
          .make = make_task<StackManipulation>};
}

}  // namespace poslab::tasks
