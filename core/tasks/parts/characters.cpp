// SPDX-License-Identifier: Apache-2.0
#include "parts/characters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "parts/dice.hpp"

namespace poslab::tasks {
namespace {

constexpr std::size_t min_text_size = 20;  // 2 of them held out: one window of 1

BadFile bad_text(const std::string& problem) {
  return {"text", problem, fmt::format("a plain text, of {} characters at the very least,", min_text_size)};
}

std::string those_in(std::string_view text) {
  std::array<bool, 256> occurs{};
  for (const char c : text) occurs[static_cast<unsigned char>(c)] = true;
  std::string symbols;
  for (std::size_t byte = 0; byte < 256; ++byte)
    if (occurs[byte]) symbols += static_cast<char>(byte);
  return symbols;
}

}  // namespace

CharacterTask::CharacterTask(std::string_view text, Index beyond, std::string_view symbols) : beyond_(beyond) {
  if (text.empty()) throw bad_text("is empty");
  if (const std::size_t nul = text.find('\0'); nul != text.npos)
    throw bad_text(fmt::format("has a byte 0 at offset {}, so it is a binary file", nul));
  if (text.size() < min_text_size) throw bad_text(fmt::format("has {} characters", text.size()));
  symbols_ = symbols.empty() ? those_in(text) : symbols;
  std::array<std::size_t, 256> number{};
  number.fill(symbols_.size());
  for (std::size_t i = 0; i < symbols_.size(); ++i) number[static_cast<unsigned char>(symbols_[i])] = i;
  for (const char c : text) {
    const std::size_t at = number[static_cast<unsigned char>(c)];
    if (at == symbols_.size())
      throw bad_text(fmt::format("has the byte {}, which the text that the network was trained on has not",
                                 static_cast<int>(static_cast<unsigned char>(c))));
    characters_.push_back(static_cast<std::uint8_t>(at));
  }
  split_ = static_cast<Index>(text.size() / 10 * 9 + text.size() % 10 * 9 / 10);
}

// A window and what it needs beyond must lie in either part; the one that is held out is the smaller.
std::optional<base::Refusal> CharacterTask::why_not(Index size) const {
  if (size < 1) return fmt::format("a window of {} characters: the least is 1", size);
  if (size + beyond_ <= held_out()) return std::nullopt;
  return fmt::format(
      "a window of {} characters does not fit into the {} that the text holds out (a tenth of its {}): windows of up "
      "to {} do",
      size, held_out(), characters_.size(), held_out() - beyond_);
}

std::uint64_t CharacterTask::instances(Part part, Index size) const {
  if (why_not(size)) return 0;
  return part == Part::training ? endless : static_cast<std::uint64_t>((held_out() - beyond_) / size);
}

Tokens CharacterTask::window(const base::Stream& draws, Part part, std::uint64_t i, Index size) const {
  require(size);
  if (const std::uint64_t count = instances(part, size); i >= count)
    throw no_such_instance(fmt::format("windows of {} characters of the held-out text", size), i, count);
  const Index first = part == Part::held_out ? split_ + static_cast<Index>(i) * size
                                             : Dice(draws, part, i, size).below(split_ - size - beyond_ + 1);
  const auto begin = characters_.begin() + first;
  return Tokens(begin, begin + size + beyond_);
}

// How often each number occurs.
std::array<double, 256> CharacterTask::counts(Index first, Index count) const {
  std::array<double, 256> counted{};
  for (Index n = first; n < first + count; ++n) counted[characters_[base::at(n)]] += 1;
  return counted;
}

// Bounds for what is held out, guessed from what is trained on; a tenth of a count more for each character, so that
// none is impossible.
Bounds CharacterTask::bounds(Index /*size*/) const {
  const std::array<double, 256> trained = counts(0, split_), asked = counts(split_, held_out());
  const double sum = static_cast<double>(split_) + 0.1 * static_cast<double>(symbols_.size());
  const auto most = static_cast<std::size_t>(std::max_element(trained.begin(), trained.end()) - trained.begin());
  Bounds bounds;
  bounds.chance_accuracy = asked[most] / static_cast<double>(held_out());
  bounds.chance_loss = 0;
  for (std::size_t c = 0; c < symbols_.size(); ++c)
    bounds.chance_loss -= asked[c] / static_cast<double>(held_out()) * std::log((trained[c] + 0.1) / sum);
  return bounds;
}

}  // namespace poslab::tasks
