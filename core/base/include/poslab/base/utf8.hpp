// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace poslab::base {

struct Character {
  std::size_t size = 0;  ///< bytes; 0: the text begins with none, or is empty
  std::uint32_t code = 0;
};

/// The character that `text` begins with.
Character first_character(std::string_view text);

}  // namespace poslab::base
