// SPDX-License-Identifier: Apache-2.0
// x1 .. xn -> xn .. x1, each of 50 letters alike. The encoder form, on bits, is reverse-string.
#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class Reverse final : public Generated {
 public:
  Reverse() : Generated("reverse", 1) {}
  Index alphabet() const override { return letters + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(size, size); }
  Bounds bounds(Index size) const override { return letters_and_end(size, letters); }

 private:
  static constexpr Index letters = 50;

  Sequence draw(Dice& dice, Index size) const override {
    const Letters prompt = dice.letters(size, letters);
    return prompted(prompt, {prompt.rbegin(), prompt.rend()}, marks_after(letters));
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
