// SPDX-License-Identifier: Apache-2.0
// find_hazard: a pass over the text of a study that knows strings, comments, brackets and dots only.
#include <fmt/format.h>

#include "readers/source_text.hpp"

#include "poslab/base/text.hpp"

namespace poslab::study {
namespace {

bool continues_a_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool may_start_a_key(char c) { return base::is_word_character(c) || c == '"' || c == '\''; }

/// Walks over text, counting lines and columns as toml++ does: columns in code points.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;  // a byte order mark is no column
  }

  std::optional<Hazard> scan() {
    while (!done() && !hazard_) {
      const char c = text_[at_];
      if (c == '#') {
        skip_comment();
      } else if (c == '"' || c == '\'') {
        if (!may_begin_here()) {
          hazard_ = {location_, "a quotation mark in the middle of a word"};
          break;
        }
        skip_string(c);
        line_has_text_ = true;
      } else {
        look_at(c);
      }
    }
    return hazard_;
  }

 private:
  bool done() const { return at_ >= text_.size(); }
  bool next_is(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  void step(std::size_t letters = 1) {
    for (; letters > 0 && !done(); --letters) {
      const bool line_ends = text_[at_] == '\n';
      ++at_;
      while (!done() && continues_a_letter(text_[at_])) ++at_;
      location_ =
          line_ends ? SourceLocation{location_.line + 1, 1} : SourceLocation{location_.line, location_.column + 1};
    }
  }

  // No string begins right after a letter or a digit: toml++ reads on to the end of that word, through the quotes, and
  // what is inside of them here would be outside for it.
  bool may_begin_here() const {
    return at_ == 0 || std::string_view(" \t\r\n=,.[{\xBF").find(text_[at_ - 1]) != std::string_view::npos;
  }

  void skip_comment() {
    while (!done() && text_[at_] != '\n') step();
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multiline = next_is(three);
    step(multiline ? 3 : 1);
    while (!done() && (multiline || text_[at_] != '\n')) {
      if (quote == '"' && text_[at_] == '\\') {
        multiline ? skip_escape() : step(2);
        if (hazard_) return;
      } else if (multiline ? next_is(three) : text_[at_] == quote) {
        step(multiline ? 3 : 1);
        for (int i = 0; multiline && i < 2 && next_is({&quote, 1}); ++i) step();  // """a quote at the end""""
        return;
      } else {
        step();
      }
    }
  }

  // A backslash at the end of a line joins it to the next, whose first letter toml++ takes for white space, or fails
  // to.
  void skip_escape() {
    step();
    const bool joins = !done() && is_white(text_[at_]);
    while (!done() && is_white(text_[at_])) step();
    if (!done() && static_cast<unsigned char>(text_[at_]) >= 0x80)
      hazard_ = {location_, "a character that is not ASCII right after a backslash"};
    else if (!joins)
      step();
  }

  void look_at(char c) {
    const SourceLocation here = location_;
    if (static_cast<unsigned char>(c) >= 0x80) {
      hazard_ = {here,
                 "a character that is not ASCII outside of text and comments; a key with such letters needs quotes"};
      return;
    }
    const bool header = c == '[' && !line_has_text_ && depth_ == 0;
    if (c == '[' || c == '{') ++depth_;
    if (c == ']' || c == '}') depth_ -= depth_ > 0;
    if (c == '.') ++dots_;
    if (std::string_view(",=[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
    if (c == '\n') line_has_text_ = false;
    if (c != '\n' && c != ' ' && c != '\t' && c != '\r') line_has_text_ = true;
    if (depth_ > max_nesting || dots_ > max_nesting) {
      hazard_ = {here, fmt::format("nested deeper than {} tables or lists", max_nesting)};
      return;
    }
    step();
    if (header) look_at_header();
  }

  void look_at_header() {
    if (!done() && text_[at_] == '[') ++depth_, step();
    while (!done() && (text_[at_] == ' ' || text_[at_] == '\t')) step();
    const bool named = !done() && (may_start_a_key(text_[at_]) || text_[at_] == ']');  // toml++ words [] and [[]] well
    if (!named) hazard_ = {location_, "expected the name of a table after \"[\""};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  SourceLocation location_{1, 1};
  int depth_ = 0, dots_ = 0;
  bool line_has_text_ = false;
  std::optional<Hazard> hazard_;
};

}  // namespace

std::optional<Hazard> find_hazard(std::string_view text) { return Scanner(text).scan(); }

}  // namespace poslab::study
