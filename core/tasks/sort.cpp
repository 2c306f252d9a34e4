// SPDX-License-Identifier: Apache-2.0
// x1 .. xn -> the same in order, each of 50 tokens alike. The encoder form, on five letters, is bucket-sort.
#include <algorithm>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class Sort final : public Generated {
 public:
  Sort() : Generated("sort", 1) {}
  Index vocabulary() const override { return plain_tokens + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(size, size); }
  Bounds bounds(Index size) const override { return tokens_and_end(size, plain_tokens); }

 private:
  static constexpr Index plain_tokens = 50;

  Sequence draw(Dice& dice, Index size) const override {
    const Tokens prompt = dice.tokens(size, plain_tokens);
    Tokens sorted = prompt;
    std::sort(sorted.begin(), sorted.end());
    return prompted(prompt, sorted, marks_after(plain_tokens));
  }
};

}  // namespace

TaskInfo make_sort() {
  return {.title = "sort",
          .sentence = "Say the letters of the prompt in order.",
          .source = "ours, the decoder's form of bucket sort (Deletang et al. 2023)",
          .bidirectional = false,
          .size_means = "letters to sort",
          .make = make_task<Sort>};
}

}  // namespace poslab::tasks
