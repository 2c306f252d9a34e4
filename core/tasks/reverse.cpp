// SPDX-License-Identifier: Apache-2.0
// x1 .. xn -> xn .. x1, each of 50 tokens alike. The encoder form, on bits, is reverse-string.
#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class Reverse final : public Generated {
 public:
  Reverse() : Generated("reverse", 1) {}
  Index vocabulary() const override { return plain_tokens + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(size, size); }
  Bounds bounds(Index size) const override { return tokens_and_end(size, plain_tokens); }

 private:
  static constexpr Index plain_tokens = 50;

  Sequence draw(Dice& dice, Index size) const override {
    const Tokens prompt = dice.tokens(size, plain_tokens);
    return prompted(prompt, {prompt.rbegin(), prompt.rend()}, marks_after(plain_tokens));
  }
};

}  // namespace

TaskInfo make_reverse() {
  return {.title = "reverse",
          .sentence = "Say the letters of the prompt from the last to the first.",
          .source = "Kazemnejad et al. 2023 (NeurIPS; arXiv:2305.19466), reverse",
          .bidirectional = false,
          .size_means = "letters to reverse",
          .make = make_task<Reverse>};
}

}  // namespace poslab::tasks
