// SPDX-License-Identifier: Apache-2.0
// A window of a text in which 15 % of the characters, drawn one by one, are masked, at least one; what these are.
#include <algorithm>

#include "parts/characters.hpp"
#include "parts/dice.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class MaskedText final : public CharacterTask {
 public:
  explicit MaskedText(std::string_view text, std::string_view symbols = "") : CharacterTask(text, 0, symbols) {}
  Index vocabulary() const override { return CharacterTask::vocabulary() + 1; }
  Sequence sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const override {
    Sequence sequence = unasked(window(draws, part, i, size));
    Dice dice(stream_within(draws, "masks"), part, i, size);
    for (std::uint8_t& is_masked : sequence.mask) is_masked = dice.happens(share) ? 1 : 0;
    if (std::find(sequence.mask.begin(), sequence.mask.end(), 1) == sequence.mask.end())
      sequence.mask[base::at(dice.below(size))] = 1;
    for (std::size_t t = 0; t < sequence.mask.size(); ++t)
      if (sequence.mask[t]) {
        sequence.targets[t] = sequence.tokens[t];
        sequence.tokens[t] = static_cast<std::int32_t>(CharacterTask::vocabulary());
      }
    return sequence;
  }

 private:
  static constexpr double share = 0.15;
};

}  // namespace

TaskInfo make_masked_text() {
  return {.title = "masked text",
          .sentence = "Say the characters of a text that are masked.",
          .source = "Devlin et al. 2019 (NAACL; arXiv:1810.04805), masked language modelling, of a file of yours",
          .causal = false,
          .size_means = "characters",
          .file = "text",
          .make = [](std::string_view text) -> std::unique_ptr<Task> { return std::make_unique<MaskedText>(text); },
          .make_over = [](std::string_view text, std::string_view symbols) -> std::unique_ptr<Task> {
            return std::make_unique<MaskedText>(text, symbols);
          }};
}

}  // namespace poslab::tasks
