// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/printable.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "poslab/base/utf8.hpp"

namespace poslab::base {
namespace {

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// What a terminal obeys, or what makes it show other characters in another order, in another line or not at all.
bool is_hidden(std::uint32_t code) {
  const auto in = [code](std::uint32_t first, std::uint32_t last) { return first <= code && code <= last; };
  return code < 0x20 || in(0x7F, 0x9F) ||                                                    // C0, DEL, C1
         code == 0x61C || in(0x200E, 0x200F) || in(0x202A, 0x202E) || in(0x2066, 0x2069) ||  // directions
         in(0x2028, 0x2029) || code == 0xFEFF;                                               // line breaks, byte order
}

}  // namespace

std::string printable(std::string_view text, Lines lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t size = character.size > 0 ? character.size : 1;
    const bool stays = lines == Lines::kept && (text.front() == '\n' || text.front() == '\t');
    if (character.size == 0)
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text.front()));
    else if (is_hidden(character.code) && !stays)
      out += fmt::format("\\u{:04X}", character.code);
    else
      out += text.substr(0, size);
    text.remove_prefix(size);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t longest) {
  std::size_t end = longest;
  while (end < text.size() && continues_a_character(text[end])) ++end;
  return end < text.size() ? std::string(text.substr(0, end)) + "..." : std::string(text);
}

std::string excerpt(std::string_view text) { return "\"" + printable(text.substr(0, 100)) + "\""; }

}  // namespace poslab::base
