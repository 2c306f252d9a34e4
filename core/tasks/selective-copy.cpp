// SPDX-License-Identifier: Apache-2.0
// x1 .. xn with n blanks anywhere among them -> x1 .. xn, each of 16 letters alike.
#include <numeric>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class SelectiveCopy final : public Generated {
 public:
  SelectiveCopy() : Generated("selective-copy", 1) {}
  Index vocabulary() const override { return letters + 1 + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(2 * size, size); }
  Bounds bounds(Index size) const override { return tokens_and_end(size, letters); }

 private:
  static constexpr Index letters = 16;
  static constexpr std::int32_t blank = letters;

  Sequence draw(Dice& dice, Index size) const override {
    std::vector<Index> places(static_cast<std::size_t>(2 * size));
    std::iota(places.begin(), places.end(), Index{0});
    dice.shuffle(places);
    Tokens prompt(places.size(), blank), answer;
    for (Index n = 0; n < size; ++n) prompt[base::at(places[base::at(n)])] = dice.token(letters);
    for (const std::int32_t one : prompt)
      if (one != blank) answer.push_back(one);
    return prompted(prompt, answer, marks_after(letters + 1));
  }
};

}  // namespace

TaskInfo make_selective_copy() {
  return {.title = "selective copy",
          .sentence = "Say the letters of the prompt again, but none of the blanks among them.",
          .source = "Golovneva et al. 2024 (arXiv:2405.18719), after Gu and Dao 2023 (arXiv:2312.00752)",
          .bidirectional = false,
          .size_means = "letters to copy",
          .make = make_task<SelectiveCopy>};
}

}  // namespace poslab::tasks
