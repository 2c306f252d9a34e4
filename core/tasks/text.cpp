// SPDX-License-Identifier: Apache-2.0
// The characters of a file: its bytes, of which those that occur are the vocabulary, in their order. The first 90 % are
// trained on, the rest is held out. At every token the next character.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "parts/dice.hpp"
#include "parts/sequences.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {
namespace {

constexpr std::size_t min_text_size = 20;  // 2 of them held out: one window of 1

BadFile bad_text(const std::string& problem) {
  return {"text", problem, fmt::format("a plain text, of {} characters at the very least,", min_text_size)};
}

class Text final : public Task {
 public:
  explicit Text(std::string_view text);
  Index vocabulary() const override { return vocabulary_; }
  Index tokens(Index size) const override { return size; }
  std::string why_not(Index size) const override;
  std::uint64_t instances(Part part, Index size) const override;
  Sequence sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const override;
  Bounds bounds(Index size) const override;

 private:
  Index held_out() const { return static_cast<Index>(characters_.size()) - split_; }
  std::array<double, 256> counts(Index first, Index count) const;

  std::vector<std::uint8_t> characters_;  // as numbers of the vocabulary
  Index split_ = 0;                       // the first one that is held out
  Index vocabulary_ = 0;
};

Text::Text(std::string_view text) {
  if (text.empty()) throw bad_text("is empty");
  if (const std::size_t nul = text.find('\0'); nul != text.npos)
    throw bad_text(fmt::format("has a byte 0 at offset {}, so it is a binary file", nul));
  if (text.size() < min_text_size) throw bad_text(fmt::format("has {} characters", text.size()));
  std::array<bool, 256> occurs{};
  for (const char c : text) occurs[static_cast<unsigned char>(c)] = true;
  std::array<std::uint8_t, 256> number{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    if (occurs[byte]) number[byte] = static_cast<std::uint8_t>(vocabulary_++);
  for (const char c : text) characters_.push_back(number[static_cast<unsigned char>(c)]);
  split_ = static_cast<Index>(text.size() / 10 * 9 + text.size() % 10 * 9 / 10);
}

// A window and the character behind it must lie in either part; the one that is held out is the smaller.
std::string Text::why_not(Index size) const {
  if (size < 1) return fmt::format("a window of {} characters: the least is 1", size);
  if (size < held_out()) return "";
  return fmt::format(
      "a window of {} characters does not fit into the {} that the text holds out (a tenth of its {}): windows of up "
      "to {} "
      "do",
      size, held_out(), characters_.size(), held_out() - 1);
}

std::uint64_t Text::instances(Part part, Index size) const {
  if (!why_not(size).empty()) return 0;
  return part == Part::training ? endless : static_cast<std::uint64_t>((held_out() - 1) / size);
}

Sequence Text::sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const {
  if (const std::string why = why_not(size); !why.empty()) throw base::Error(base::Error::Kind::argument, why);
  if (const std::uint64_t count = instances(part, size); i >= count)
    throw no_such_instance(fmt::format("windows of {} characters of the held-out text", size), i, count);
  const Index first =
      part == Part::held_out ? split_ + static_cast<Index>(i) * size : Dice(draws, part, i, size).below(split_ - size);
  const auto begin = characters_.begin() + first;
  return next_symbols(Tokens(begin, begin + size + 1));
}

// How often each number occurs.
std::array<double, 256> Text::counts(Index first, Index count) const {
  std::array<double, 256> counted{};
  for (Index n = first; n < first + count; ++n) counted[characters_[base::at(n)]] += 1;
  return counted;
}

// Bounds for what is held out, guessed from what is trained on; a tenth of a count more for each character, so that
// none is impossible.
Bounds Text::bounds(Index /*size*/) const {
  const std::array<double, 256> trained = counts(0, split_), asked = counts(split_, held_out());
  const double sum = static_cast<double>(split_) + 0.1 * static_cast<double>(vocabulary_);
  const auto most = static_cast<std::size_t>(std::max_element(trained.begin(), trained.end()) - trained.begin());
  Bounds bounds;
  bounds.chance_accuracy = asked[most] / static_cast<double>(held_out());
  bounds.chance_loss = 0;
  for (std::size_t c = 0; c < static_cast<std::size_t>(vocabulary_); ++c)
    bounds.chance_loss -= asked[c] / static_cast<double>(held_out()) * std::log((trained[c] + 0.1) / sum);
  return bounds;
}

}  // namespace

TaskInfo make_text() {
  return {.title = "text",
          .sentence = "Say the next character of a text.",
          .source = "a file of yours; its first 90 % are trained on (the split of nanoGPT)",
          .bidirectional = false,
          .size_means = "characters",
          .file = "text",
          .make = [](std::string_view text) -> std::unique_ptr<Task> { return std::make_unique<Text>(text); }};
}

}  // namespace poslab::tasks
