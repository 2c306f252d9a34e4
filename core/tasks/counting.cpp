// SPDX-License-Identifier: Apache-2.0
// n instructions to a counter: set it to 0, add one, or pass; after each, what it holds, 0 .. 10. At 10 nothing is
// added. The first one sets; the others are drawn alike.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

constexpr std::size_t largest_count = 10;

class Counting final : public Generated {
 public:
  Counting() : Generated("counting", 1) {}
  Index vocabulary() const override { return largest_count + 1; }
  Index tokens(Index size) const override { return size; }
  Bounds bounds(Index size) const override {
    std::array<double, largest_count + 1> now{1}, asked{1 / static_cast<double>(size)};
    for (Index t = 1; t < size; ++t) {
      std::array<double, largest_count + 1> next{};
      for (std::size_t count = 0; count <= largest_count; ++count) {
        const double share = now[count] / (count < largest_count ? 3 : 2);
        next[0] += share;
        next[count] += share;
        if (count < largest_count) next[count + 1] += share;
      }
      now = next;
      for (std::size_t count = 0; count <= largest_count; ++count)
        asked[count] += now[count] / static_cast<double>(size);
    }
    return certain(*std::max_element(asked.begin(), asked.end()), entropy(asked));
  }

 private:
  static constexpr std::int32_t set = 0, pass = 1, add = 2;

  Sequence draw(Dice& dice, Index size) const override {
    Sequence sequence{{set}, {0}, std::vector<std::uint8_t>(static_cast<std::size_t>(size), 1)};
    std::int32_t count = 0;
    for (Index t = 1; t < size; ++t) {
      const std::int32_t instruction = dice.token(count < std::int32_t{largest_count} ? 3 : 2);
      count = instruction == set ? 0 : instruction == add ? count + 1 : count;
      sequence.tokens.push_back(instruction);
      sequence.targets.push_back(count);
    }
    return sequence;
  }
};

}  // namespace

TaskInfo make_counting() {
  return {.title = "counting",
          .sentence = "After every instruction to a counter, say what it holds.",
          .source = "after Golovneva et al. 2024 (arXiv:2405.18719), the counting task, of one variable",
          .bidirectional = false,
          .size_means = "instructions",
          .make = make_task<Counting>};
}

}  // namespace poslab::tasks
