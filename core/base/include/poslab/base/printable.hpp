// SPDX-License-Identifier: Apache-2.0
// Texts that somebody else wrote, on their way to a terminal, which obeys the control characters that it is sent.
#pragma once

#include <string>
#include <string_view>

namespace poslab::base {

enum class Lines { broken, kept };

/// As an escape: every character that a terminal obeys instead of showing it. Control characters (of ASCII, and of the
/// second half of Latin-1), overrides and marks of direction, line and paragraph separators, the byte order mark:
/// `\u001B`, `\u202E`; and a byte that is no part of UTF-8, as `\x9B`. Line breaks and tabs stay where `lines` are
/// kept, as in our own sentences around such texts.
std::string printable(std::string_view text, Lines lines = Lines::broken);

/// `text`, or its first `longest` bytes, up to the end of a whole character, and "...".
std::string shortened(std::string_view text, std::size_t longest);

/// A name or word of others within a sentence: in quotes, printable, its first 100 bytes.
std::string excerpt(std::string_view text);

}  // namespace poslab::base
