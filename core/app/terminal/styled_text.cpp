// SPDX-License-Identifier: Apache-2.0
#include "terminal/styled_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/printable.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t npos = std::string::npos;

// Where a line goes on that is broken: below its last column, if that leaves half of the width.
std::size_t indent_of(const std::string& line, std::size_t width) {
  const std::size_t leading = std::min(line.find_first_not_of(' '), line.size());
  std::size_t column = leading;
  for (std::size_t gap = line.find("  ", leading); gap != npos && gap < width / 2; gap = line.find("  ", column)) {
    const std::size_t begin = line.find_first_not_of(' ', gap);
    if (begin == npos || display_width(line.substr(0, begin)) > width / 2) break;
    column = begin;
  }
  if (column > leading) return display_width(line.substr(0, column));
  return leading >= 4 ? leading : leading + 4;
}

}  // namespace

int colour_of(Style style) {
  switch (style) {
    case Style::good: return 28;     // green
    case Style::bad: return 160;     // red
    case Style::partly: return 130;  // brown
    case Style::unsure: return 97;   // violet
    case Style::plain:
    case Style::command: break;
  }
  return -1;
}

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  return StyledText(text).broken(width, indent).plain() + "\n";
}

StyledText::StyledText(Style style, const std::string& text) {
  add(style, base::printable(text, base::LineBreaks::kept));
}

void StyledText::add(Style style, std::string text) {
  if (text.empty()) return;
  if (!parts_.empty() && parts_.back().style == style)
    parts_.back().text += text;
  else
    parts_.push_back({style, std::move(text)});
}

StyledText& StyledText::operator+=(const StyledText& more) {
  for (const Part& part : std::vector<Part>(more.parts_)) add(part.style, part.text);
  return *this;
}

StyledText& StyledText::pad_to(std::size_t wanted) {
  const std::size_t has = width();
  if (has < wanted) add(Style::plain, std::string(wanted - has, ' '));
  return *this;
}

std::size_t StyledText::width() const { return display_width(plain()); }

std::string StyledText::plain() const {
  std::string text;
  for (const Part& part : parts_) text += part.text;
  return text;
}

std::string StyledText::written(Colours colours) const {
  std::string text;
  for (const Part& part : parts_) {
    const int colour = colour_of(part.style);
    if (colours == Colours::none || colour < 0)
      text += part.text;
    else if (colours == Colours::bold)
      text += fmt::format("\033[1m{}\033[0m", part.text);
    else
      text += fmt::format("\033[1;38;5;{}m{}\033[0m", colour, part.text);
  }
  return text;
}

StyledText StyledText::between(std::size_t begin, std::size_t end) const {
  StyledText found;
  std::size_t at = 0;
  for (const Part& part : parts_) {
    const std::size_t first = std::max(begin, at), last = std::min(end, at + part.text.size());
    if (first < last) found.add(part.style, part.text.substr(first - at, last - first));
    at += part.text.size();
  }
  return found;
}

StyledText StyledText::shortened(std::size_t longest) const {
  const std::string text = plain();
  if (display_width(text) <= longest) return *this;
  std::size_t end = 0;
  for (std::size_t taken = 0; taken + 3 < longest; ++taken)
    for (++end; end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80;) ++end;
  return between(0, end) + "...";
}

StyledText StyledText::broken(std::size_t width, std::size_t indent) const {
  const std::string text = plain();
  std::string breakable;  // a blank where the line may be broken
  for (const Part& part : parts_)
    breakable += part.style == Style::command ? std::string(part.text.size(), 'x') : part.text;
  StyledText lines;
  std::size_t begin = 0, end = breakable.find_first_not_of(' ');  // of the line so far
  std::size_t used = 0;                                           // its indent, unless that is its own
  for (std::size_t word = end; word < text.size();) {
    const std::size_t word_end = std::min(breakable.find(' ', word), text.size());
    if (end > begin && used + display_width(text.substr(begin, word_end - begin)) > width &&
        breakable.find_first_not_of(' ', begin) < end) {
      lines += between(begin, end) + "\n" + std::string(indent, ' ');
      begin = word, used = indent;
    }
    end = word_end;
    word = std::min(breakable.find_first_not_of(' ', word_end), text.size());
  }
  return lines + between(begin, end);
}

StyledText StyledText::fitted(std::size_t width) const {
  const std::string text = plain();
  StyledText all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const StyledText line = between(begin, end);
    const bool fits = display_width(text.substr(begin, end - begin)) <= width;
    all += fits ? line : line.broken(width, indent_of(text.substr(begin, end - begin), width));
    if (end < text.size()) all += "\n";
    begin = end + 1;
  }
  return all;
}

}  // namespace poslab::app
