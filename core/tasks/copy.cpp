// SPDX-License-Identifier: Apache-2.0
// x1 .. xn -> x1 .. xn, each of 50 tokens alike.
#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class Copy final : public Generated {
 public:
  Copy() : Generated("copy", 1) {}
  Index vocabulary() const override { return plain_tokens + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(size, size); }
  Bounds bounds(Index size) const override { return tokens_and_end(size, plain_tokens); }

 private:
  static constexpr Index plain_tokens = 50;

  Sequence draw(Dice& dice, Index size) const override {
    const Tokens prompt = dice.tokens(size, plain_tokens);
    return prompted(prompt, prompt, marks_after(plain_tokens));
  }
};

}  // namespace

TaskInfo make_copy() {
  return {.title = "copy",
          .sentence = "Say the letters of the prompt again.",
          .source = "Kazemnejad et al. 2023 (NeurIPS; arXiv:2305.19466), copy of random tokens",
          .bidirectional = false,
          .size_means = "letters to copy",
          .make = make_task<Copy>};
}

}  // namespace poslab::tasks
