// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::base {
namespace {

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

std::string shell_word(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  if (printable(text) != text) return with_escapes(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

}  // namespace poslab::base
