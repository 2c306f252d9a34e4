// SPDX-License-Identifier: Apache-2.0
// Text whose parts have a style. Escape sequences are written in one place, when it goes to a terminal, and around
// parts that are made fit to print: what a stranger wrote is never obeyed, and our own colours are never escaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace poslab::app {

enum class Style : std::uint8_t {
  plain,
  good,
  bad,
  partly,
  unsure,
  command  ///< looks plain, and is never broken: to be copied
};

/// What a terminal shows of styles: nothing, bold letters, or colours as well.
enum class Colours : std::uint8_t { none, bold, many };

/// Its number among xterm's 256 colours, of those that no theme of a terminal changes, and that can be read on dark and
/// on light; -1: as all other text.
int colour_of(Style style);

/// Everything in it is made printable, but for line breaks and tabs.
class StyledText {
 public:
  StyledText() = default;
  StyledText(const char* plain) : StyledText(std::string(plain)) {}          // NOLINT: a text without styles
  StyledText(const std::string& plain) : StyledText(Style::plain, plain) {}  // NOLINT: likewise
  StyledText(Style style, const std::string& text);

  StyledText& operator+=(const StyledText& more);
  friend StyledText operator+(StyledText text, const StyledText& more) { return std::move(text += more); }
  /// Blanks up to so many characters; of one line.
  StyledText& pad_to(std::size_t width);

  bool empty() const { return parts_.empty(); }
  std::size_t width() const;  ///< characters; of one line
  std::string plain() const;  ///< the text alone
  /// Each part in its style.
  std::string written(Colours colours) const;
  /// The same, or its first characters and "...", `width` in all; of one line.
  StyledText shortened(std::size_t width) const;
  /// Lines of more than `width` characters broken at blanks; they go on below the last of their columns, which two
  /// blanks or more begin, or else a little further in than they began.
  StyledText fitted(std::size_t width) const;
  /// The same of one line, with where it goes on.
  StyledText broken(std::size_t width, std::size_t indent) const;

 private:
  struct Part {
    Style style;
    std::string text;
  };
  void add(Style style, std::string text);
  StyledText between(std::size_t begin, std::size_t end) const;  // bytes

  std::vector<Part> parts_;  // none is empty, and neighbours differ in style
};

/// Characters in a line of what is told alike on every terminal: help, what is found, known answers.
inline constexpr std::size_t page_columns = 80;

/// Characters as a terminal counts them: UTF-8 continuation bytes take no place.
std::size_t display_width(const std::string& text);
/// Broken at blanks into lines of at most `width` characters, all but the first indented. Ends with a line break.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace poslab::app
