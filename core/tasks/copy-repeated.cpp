// SPDX-License-Identifier: Apache-2.0
// x x .. x -> x x .. x: one of 50 letters, n times. What is learned is to count.
#include <cstddef>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class CopyRepeated final : public Generated {
 public:
  CopyRepeated() : Generated("copy-repeated", 1) {}
  Index alphabet() const override { return letters + mark_count; }
  Index tokens(Index size) const override { return prompted_tokens(size, size); }
  Bounds bounds(Index size) const override { return letters_and_end(size, letters); }

 private:
  static constexpr Index letters = 50;

  Sequence draw(Dice& dice, Index size) const override {
    const Letters prompt(static_cast<std::size_t>(size), dice.letter(letters));
    return prompted(prompt, prompt, marks_after(letters));
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
