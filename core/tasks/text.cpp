// SPDX-License-Identifier: Apache-2.0
// At every character of a text the next one.
#include "parts/characters.hpp"

namespace poslab::tasks {
namespace {

class Text final : public CharacterTask {
 public:
  explicit Text(std::string_view text, std::string_view symbols = "") : CharacterTask(text, 1, symbols) {}
  Sequence sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const override {
    return next_symbols(window(draws, part, i, size));
  }
};

}  // namespace

TaskInfo make_text() {
  return {.title = "text",
          .sentence = "Say the next character of a text.",
          .source = "a file of yours; its first 90 % are trained on (the split of nanoGPT)",
          .bidirectional = false,
          .size_means = "characters",
          .file = "text",
          .make = [](std::string_view text) -> std::unique_ptr<Task> { return std::make_unique<Text>(text); },
          .make_over = [](std::string_view text, std::string_view symbols) -> std::unique_ptr<Task> {
            return std::make_unique<Text>(text, symbols);
          }};
}

}  // namespace poslab::tasks
