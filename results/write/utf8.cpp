// SPDX-License-Identifier: Apache-2.0
#include "write/utf8.hpp"

#include <cstdint>

namespace poslab::results {
namespace {

// The length of the sequence that `lead` begins; 0 if it begins none. NUL is refused: it would end the text.
std::size_t sequence_length(unsigned char lead) {
  if (lead > 0x00 && lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. Leads C0, C1 and above F4 are excluded before.
bool is_scalar_value(std::uint32_t code, std::size_t length) {
  if (length == 3) return code >= 0x800 && (code < 0xD800 || code > 0xDFFF);
  if (length == 4) return code >= 0x10000 && code <= 0x10FFFF;
  return true;
}

// The length of the well-formed sequence at the start of `text`, or 0.
std::size_t well_formed_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = sequence_length(lead);
  if (length <= 1) return length;
  if (length > text.size()) return 0;
  std::uint32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return 0;
    code = code << 6 | (next & 0x3F);
  }
  return is_scalar_value(code, length) ? length : 0;
}

}  // namespace

std::string well_formed(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = well_formed_length(text);
    result += length ? std::string(text.substr(0, length)) : "\xEF\xBF\xBD";
    text.remove_prefix(length ? length : 1);
  }
  return result;
}

}  // namespace poslab::results
