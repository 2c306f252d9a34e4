// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/printable.hpp"

namespace poslab::base {
namespace {

// In UTF-8 every byte of a longer character follows another that is 0x80 or more.
bool is_lone_control(const std::string& text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x80 || byte >= 0xa0) return false;
  return i == 0 || static_cast<unsigned char>(text[i - 1]) < 0x80;
}

}  // namespace

std::string printable(std::string text, Lines lines) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool stays = lines == Lines::kept && (text[i] == '\n' || text[i] == '\t');
    if ((byte < 0x20 && !stays) || byte == 0x7f || is_lone_control(text, i)) text[i] = '?';
    const bool ends = i + 1 == text.size();
    if (byte == 0xc2 && !ends && static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
        static_cast<unsigned char>(text[i + 1]) < 0xa0)
      text[i] = text[i + 1] = '?';
  }
  return text;
}

}  // namespace poslab::base
