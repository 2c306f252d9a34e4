// SPDX-License-Identifier: Apache-2.0
// Texts that somebody else wrote, on their way to a terminal, which obeys the control characters that it is sent, or to
// bash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace poslab::base {

// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
struct Character {
  std::size_t size = 0;  ///< bytes; 0: the text begins with none, or is empty
  std::uint32_t code = 0;
};

/// The character that `text` begins with.
Character first_character(std::string_view text);

/// `text` with every byte that is not part of well-formed UTF-8, and every NUL, replaced by U+FFFD: for readers that
/// decode all that they get. Messages come from plugins and file systems, which promise no encoding.
std::string well_formed(std::string_view text);

// For a terminal.
enum class LineBreaks { escaped, kept };

/// As an escape: every character that a terminal obeys instead of showing it. Control characters (of ASCII, and of the
/// second half of Latin-1), overrides and marks of direction, line and paragraph separators, the byte order mark:
/// `\u001B`, `\u202E`; and a byte that is no part of UTF-8, as `\x9B`. Line breaks and tabs stay where `breaks` are
/// kept, as in our own sentences around such texts.
std::string printable(std::string_view text, LineBreaks breaks = LineBreaks::escaped);

/// `text`, or its first `longest` bytes, up to the end of a whole character, and "...".
std::string shortened(std::string_view text, std::size_t longest);

/// A name or word of others within a sentence: in quotes, printable, shortened to 100 bytes.
std::string excerpt(std::string_view text);

// Text as words of bash: whatever a file is called, bash reads back the same bytes.

/// Never holds a line break, so that it may stand inside a here-document.
std::string shell_word(const std::string& text);
/// A file's name so that no program takes it for an option: `./-a.h5`.
std::string operand(const std::string& file);
/// Separated by spaces.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace poslab::base
