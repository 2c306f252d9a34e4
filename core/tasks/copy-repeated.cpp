// SPDX-License-Identifier: Apache-2.0
// x x .. x -> x x .. x: one of 50 tokens, n times. What is learned is to count.
#include <cstddef>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class CopyRepeated final : public Generated {
 public:
  CopyRepeated() : Generated("copy-repeated", 1) {}
  Index vocabulary() const override { return plain_tokens + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(size, size); }
  Bounds bounds(Index size) const override { return tokens_and_end(size, plain_tokens); }

 private:
  static constexpr Index plain_tokens = 50;

  Sequence draw(Dice& dice, Index size) const override {
    const Tokens prompt(static_cast<std::size_t>(size), dice.token(plain_tokens));
    return prompted(prompt, prompt, marks_after(plain_tokens));
  }
};

}  // namespace

TaskInfo make_copy_repeated() {
  return {.title = "copy of one letter",
          .sentence = "Say the one letter of the prompt as often as it stands there.",
          .source = "Kazemnejad et al. 2023 (NeurIPS; arXiv:2305.19466), copy of a repeated token",
          .bidirectional = false,
          .size_means = "times that the letter stands",
          .make = make_task<CopyRepeated>};
}

}  // namespace poslab::tasks
