// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/printable.hpp"

#include <fmt/format.h>

namespace poslab::base {
namespace {

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The bytes of the UTF-8 character that begins at `i`; 0 where none does.
std::size_t character_size(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  const std::size_t size = byte < 0x80 ? 1 : byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0;
  if (i + size > text.size()) return 0;
  for (std::size_t next = i + 1; next < i + size; ++next)
    if (!continues_a_character(text[next])) return 0;
  return size;
}

bool is_control(unsigned code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

}  // namespace

std::string printable(std::string_view text, Lines lines) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_size(text, i);
    const bool one_byte_code = size < 2, latin = size == 2 && text[i] == '\xC2';
    const unsigned code = static_cast<unsigned char>(text[latin ? i + 1 : i]);  // where it is one of the two
    const bool stays = lines == Lines::kept && (text[i] == '\n' || text[i] == '\t');
    if ((one_byte_code || latin) && is_control(code) && !stays)
      out += size == 0 ? fmt::format("\\x{:02X}", code) : fmt::format("\\u{:04X}", code);
    else
      out += text.substr(i, size == 0 ? 1 : size);
    i += size == 0 ? 1 : size;
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t longest) {
  std::size_t end = longest;
  while (end < text.size() && continues_a_character(text[end])) ++end;
  return end < text.size() ? std::string(text.substr(0, end)) + "..." : std::string(text);
}

}  // namespace poslab::base
