// SPDX-License-Identifier: Apache-2.0
// x1 .. xn -> x1 .. xn x1 .. xn, each of 50 tokens alike. The encoder form, on bits, is duplicate-string.
#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class Duplicate final : public Generated {
 public:
  Duplicate() : Generated("duplicate", 1) {}
  Index vocabulary() const override { return plain_tokens + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(size, 2 * size); }
  Bounds bounds(Index size) const override { return tokens_and_end(2 * size, plain_tokens); }

 private:
  static constexpr Index plain_tokens = 50;

  Sequence draw(Dice& dice, Index size) const override {
    const Tokens prompt = dice.tokens(size, plain_tokens);
    return prompted(prompt, joined(prompt, prompt), marks_after(plain_tokens));
  }
};

}  // namespace

TaskInfo make_duplicate() {
  return {.title = "duplicate",
          .sentence = "Say the letters of the prompt twice.",
          .source = "Kazemnejad et al. 2023 (NeurIPS; arXiv:2305.19466), copy of random tokens, twice (cmc2x)",
          .bidirectional = false,
          .size_means = "letters to duplicate",
          .make = make_task<Duplicate>};
}

}  // namespace poslab::tasks
