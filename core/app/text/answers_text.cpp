// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/answers_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <span>

#include "poslab/app/text/text_table.hpp"
#include "poslab/base/printable.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t narrowest_name = 16, gap = 2;  // characters
constexpr std::ptrdiff_t most_legend_lines = 4;      // below one of what the signs say

struct MarkStyle {
  const char* sign;
  const char* colour;  // of ECMA-48
};

MarkStyle style_of(data::Mark mark) {
  switch (mark) {
    case data::Mark::yes: return {"✓", "32"};
    case data::Mark::no: return {"✗", "31"};
    case data::Mark::partly: return {"~", "33"};
    case data::Mark::cannot_tell: return {"?", "33"};
    case data::Mark::none: break;
  }
  return {"", ""};
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, terminal_width_of(text)), ' ');
}

// A cell of the table, marks in a place of their own so that numbers begin below each other.
struct Entry {
  data::Mark mark = data::Mark::none;
  std::string number;
  std::size_t width() const { return 2 + terminal_width_of(number); }
  std::string text(std::size_t width, bool coloured) const {
    const MarkStyle style = style_of(mark);
    const std::string sign = *style.sign ? style.sign : " ";
    const std::string shown = coloured && *style.sign ? fmt::format("\033[{}m{}\033[0m", style.colour, sign) : sign;
    return shown + " " + padded(number, width - 2);
  }
};

struct Column {
  data::AnswerColumn declared;
  std::map<std::string, Entry> entries;  // by variant
  std::size_t width = 0;
};

std::vector<Column> columns_of(const data::AnswerTable& table, bool compacted) {
  std::vector<Column> columns;
  for (const auto& [experiment, declared] : table.columns) {
    Column column{declared, {}, 2 + std::max(terminal_width_of(declared.heading), terminal_width_of(declared.unit))};
    for (const data::VariantAnswer& one : table.answers)
      if (one.experiment == experiment) {
        const data::ErrorStyle errors = compacted ? data::ErrorStyle::last_digit : data::ErrorStyle::plus_minus;
        const std::string number = base::printable(numbers_text(one.answer, errors));
        const Entry entry{one.answer.mark, one.answer.says_nothing() ? "–" : number};
        column.width = std::max(column.width, entry.width());
        column.entries[one.variant] = entry;
      }
    columns.push_back(std::move(column));
  }
  return columns;
}

struct Names {
  std::vector<std::string> variants;         // in the study's order
  std::map<std::string, std::string> shown;  // by variant
  bool has_untrained = false;
  std::vector<std::string> trained;  // what is said of trained weights, each once
};

Names names_of(const data::AnswerTable& table) {
  Names names;
  for (const data::VariantAnswer& one : table.answers) {
    std::string& shown = names.shown[one.variant];
    if (shown.empty()) {
      names.variants.push_back(one.variant);
      shown = base::printable(short_label(one.variant));
    }
    if (one.untrained && shown.find(" *") == std::string::npos) shown += " *";
    if (!one.trained.empty() && shown.find(" †") == std::string::npos) shown += " †";
    if (!one.trained.empty() &&
        std::find(names.trained.begin(), names.trained.end(), one.trained) == names.trained.end())
      names.trained.push_back(one.trained);
    names.has_untrained = names.has_untrained || one.untrained;
  }
  return names;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string block(std::span<const Column> columns, const Names& names, std::size_t name_width, bool coloured) {
  const std::string margin(2, ' '), between(gap, ' ');
  std::string headings = margin + std::string(name_width, ' '), units = headings;
  for (const Column& column : columns) {
    headings += between + padded("  " + column.declared.heading, column.width);
    units += between + padded("  " + column.declared.unit, column.width);
  }
  std::string text = without_trailing_blanks(headings);
  if (units.find_first_not_of(' ') != std::string::npos) text += without_trailing_blanks(units);
  for (const std::string& variant : names.variants) {
    const std::string& name = names.shown.at(variant);
    const bool fits = terminal_width_of(name) <= name_width;
    if (!fits) text += margin + name + "\n";
    std::string line = margin + padded(fits ? name : "", name_width);
    for (const Column& column : columns) {
      const auto entry = column.entries.find(variant);
      line += between + (entry == column.entries.end() ? Entry{} : entry->second).text(column.width, coloured);
    }
    text += without_trailing_blanks(line);
  }
  return text;
}

std::size_t width_of(const std::vector<Column>& columns) {
  std::size_t all = 2;
  for (const Column& column : columns) all += gap + column.width;
  return all;
}

// What stands once below a table, whatever its columns.
std::string signs_text(const Names& names, std::size_t width, bool compacted) {
  std::string line = "  ✓ yes  ✗ no  ~ in part  ? cannot tell  – no answer";
  if (names.has_untrained) line += compacted ? "  * untrained" : "  * untrained weights";
  if (compacted) line += "  1.42(3): ± 0.03";
  return wrapped(line, width, 2) + trained_text(names.trained, width);
}

std::string line_for_each(std::span<const Column> columns, std::size_t width) {
  std::size_t heading_width = 0;
  for (const Column& column : columns)
    heading_width = std::max(heading_width, terminal_width_of(column.declared.heading));
  std::string text;
  for (const Column& column : columns)
    text += wrapped(fmt::format("  {}  {}", padded(column.declared.heading, heading_width), column.declared.legend),
                    width, heading_width + 4);
  return text;
}

// Of each legend what stands before its first semicolon, one behind the other.
std::string running_lines(std::span<const Column> columns, std::size_t width) {
  std::string line = " ";
  for (const Column& column : columns)
    line += fmt::format(" {}: {}{}", column.declared.heading,
                        column.declared.legend.substr(0, column.declared.legend.find(';')),
                        &column == &columns.back() ? "" : ";");
  return wrapped(line, width, 2);
}

std::string legend(std::span<const Column> columns, const SummaryStyle& style) {
  const std::string text = line_for_each(columns, style.width);
  const bool fits = std::count(text.begin(), text.end(), '\n') <= most_legend_lines;
  return fits || style.verbose ? text : running_lines(columns, style.width);
}

}  // namespace

std::string trained_text(const std::vector<std::string>& notes, std::size_t width) {
  constexpr std::size_t most = 3;
  if (notes.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(most, notes.size()); ++i) text += (i ? "; " : "") + base::printable(notes[i]);
  if (notes.size() > most) text += fmt::format("; {} more, in the messages of the cells", notes.size() - most);
  return wrapped("  † " + text, width, 4);
}

std::string short_label(const std::string& variant) {
  static const std::regex unset("(, )?[A-Za-z0-9_-]+=unset"), beginning("\\(, "), empty("\\(\\)");
  return std::regex_replace(std::regex_replace(std::regex_replace(variant, unset, ""), beginning, "("), empty, "");
}

std::string sentences_text(const data::AnswerTable& table, const SummaryStyle& style) {
  std::string text;
  for (const auto& [experiment, column] : table.columns) {
    text += fmt::format("\n{}, by {}\n", base::printable(column.heading), base::printable(experiment));
    for (const data::VariantAnswer& one : table.answers)
      if (one.experiment == experiment)
        text +=
            wrapped(fmt::format("  {} {}: {}", *style_of(one.answer.mark).sign ? style_of(one.answer.mark).sign : "–",
                                base::printable(short_label(one.variant)), base::printable(one.answer.sentence)),
                    style.width, 6);
  }
  return text;
}

std::string answers_text(const data::AnswerTable& table, const SummaryStyle& style) {
  if (table.answers.empty()) return "";
  std::vector<Column> columns = columns_of(table, false);
  const bool compacted = width_of(columns) + narrowest_name > style.width;
  if (compacted) columns = columns_of(table, true);
  const Names names = names_of(table);
  const std::size_t all = width_of(columns);
  std::size_t longest = 0;
  for (const auto& [variant, name] : names.shown) longest = std::max(longest, terminal_width_of(name));
  const std::size_t room = style.width > all ? style.width - all : 0;
  const std::size_t name_width = std::min(longest, std::max(narrowest_name, room));
  std::string text;
  for (std::size_t first = 0, end = 0; first < columns.size(); first = end) {
    std::size_t used = 2 + name_width;
    while (end < columns.size() && (end == first || used + gap + columns[end].width <= style.width))
      used += gap + columns[end++].width;
    const std::span<const Column> side_by_side(&columns[first], end - first);
    text += block(side_by_side, names, name_width, style.coloured) + "\n";
    if (first == 0) text += signs_text(names, style.width, compacted);
    text += legend(side_by_side, style) + (end < columns.size() ? "\n" : "");
  }
  return text;
}

}  // namespace poslab::app
