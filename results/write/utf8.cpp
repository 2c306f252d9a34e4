// SPDX-License-Identifier: Apache-2.0
#include "write/utf8.hpp"

#include "poslab/base/printable.hpp"

namespace poslab::results {

std::string well_formed(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const base::Character character = base::first_character(text);
    const bool stays = character.size > 0 && character.code != 0;  // a NUL would end the text
    result += stays ? std::string(text.substr(0, character.size)) : "\xEF\xBF\xBD";
    text.remove_prefix(stays ? character.size : 1);
  }
  return result;
}

}  // namespace poslab::results
