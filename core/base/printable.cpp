// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "poslab/base/text.hpp"

namespace poslab::base {
namespace {

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// Leads C0, C1 and above F4 are excluded before.
bool is_scalar_value(std::uint32_t code, std::size_t length) {
  if (length == 3) return code >= 0x800 && (code < 0xD800 || code > 0xDFFF);
  if (length == 4) return code >= 0x10000 && code <= 0x10FFFF;
  return true;
}

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// What a terminal obeys, or what makes it show other characters in another order, in another line or not at all.
bool is_hidden(std::uint32_t code) {
  const auto in = [code](std::uint32_t first, std::uint32_t last) { return first <= code && code <= last; };
  return code < 0x20 || in(0x7F, 0x9F) ||                                                    // C0, DEL, C1
         code == 0x61C || in(0x200E, 0x200F) || in(0x202A, 0x202E) || in(0x2066, 0x2069) ||  // directions
         in(0x2028, 0x2029) || code == 0xFEFF;                                               // line breaks, byte order
}

bool is_plain(char c) { return is_word_character(c) || std::string_view("./=:,@%+").find(c) != std::string_view::npos; }

bool is_shown(char c) { return c >= 0x20 && c < 0x7F; }

// $'...', where what is not of ASCII, line breaks and the like are written as octal numbers: it may be printed and
// pasted.
std::string with_escapes(const std::string& text) {
  std::string word = "$'";
  for (const char c : text) {
    if (!is_shown(c))
      word += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else if (c == '\'' || c == '\\')
      word += {'\\', c};
    else
      word += c;
  }
  return word + "'";
}

}  // namespace

Character first_character(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size()) return {};
  std::uint32_t code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return {};
    code = code << 6 | (next & 0x3F);
  }
  return is_scalar_value(code, length) ? Character{length, code} : Character{};
}

std::string printable(std::string_view text, LineBreaks breaks) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t size = character.size > 0 ? character.size : 1;
    const bool stays = breaks == LineBreaks::kept && (text.front() == '\n' || text.front() == '\t');
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

std::string excerpt(std::string_view text) { return "\"" + printable(shortened(text, 100)) + "\""; }

std::string shell_word(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  if (printable(text) != text) return with_escapes(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string operand(const std::string& file) { return (file.starts_with('-') ? "./" : "") + file; }

std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::string well_formed(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool stays = character.size > 0 && character.code != 0;  // a NUL would end the text
    result += stays ? std::string(text.substr(0, character.size)) : "\xEF\xBF\xBD";
    text.remove_prefix(stays ? character.size : 1);
  }
  return result;
}

}  // namespace poslab::base
