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

StyledText sign_of(data::Mark mark) {
  switch (mark) {
    case data::Mark::yes: return {Style::good, "✓"};
    case data::Mark::no: return {Style::bad, "✗"};
    case data::Mark::partly: return {Style::partly, "~"};
    case data::Mark::cannot_tell: return {Style::unsure, "?"};
    case data::Mark::none: break;
  }
  return {};
}

// A cell of the table, marks in a place of their own so that numbers begin below each other.
struct Entry {
  data::Mark mark = data::Mark::none;
  std::string number;
  std::size_t width() const { return 2 + terminal_width_of(number); }
  StyledText text() const { return number.empty() ? sign_of(mark) : sign_of(mark).pad_to(2) + number; }
};

struct Column {
  data::AnswerColumn declared;
  std::map<std::string, Entry> entries;  // by variant
  std::size_t width = 0;
};

data::AnswerColumn printable(const data::AnswerColumn& column) {
  return {base::printable(column.heading), base::printable(column.unit), base::printable(column.legend)};
}

std::vector<Column> columns_of(const data::AnswerTable& table, bool compacted) {
  std::vector<Column> columns;
  for (const auto& [experiment, declared] : table.columns) {
    Column column{printable(declared), {}, 0};
    column.width =
        2 + std::max(terminal_width_of(column.declared.heading), terminal_width_of(column.declared.unit));
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

// A line of the table, where `of` says what stands in a column.
template <class Of>
StyledText line_of(StyledText line, std::span<const Column> columns, std::size_t name_width, const Of& of) {
  std::size_t begin = 2 + name_width + gap;
  for (const Column& column : columns) {
    if (const StyledText shown = of(column); !shown.empty()) line = line.pad_to(begin) + shown;
    begin += column.width + gap;
  }
  return line;
}

StyledText block(std::span<const Column> columns, const Names& names, std::size_t name_width) {
  const auto above = [](const std::string& words) { return words.empty() ? StyledText() : StyledText("  " + words); };
  StyledText text = line_of({}, columns, name_width, [&](const Column& c) { return above(c.declared.heading); }) + "\n";
  const StyledText units = line_of({}, columns, name_width, [&](const Column& c) { return above(c.declared.unit); });
  if (!units.empty()) text += units + "\n";
  for (const std::string& variant : names.variants) {
    const std::string& name = names.shown.at(variant);
    if (terminal_width_of(name) > name_width) text += "  " + name + "\n";
    const StyledText begin = terminal_width_of(name) > name_width ? "" : "  " + name;
    text += line_of(begin, columns, name_width, [&](const Column& column) {
      const auto entry = column.entries.find(variant);
      return entry == column.entries.end() ? StyledText() : entry->second.text();
    });
    text += "\n";
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
    text += wrapped(
        StyledText("  " + column.declared.heading).pad_to(2 + heading_width).plain() + "  " + column.declared.legend,
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

StyledText sentences_text(const data::AnswerTable& table, const SummaryStyle& style) {
  StyledText text;
  for (const auto& [experiment, column] : table.columns) {
    text += fmt::format("\n{}, by {}\n", base::printable(column.heading), base::printable(experiment));
    for (const data::VariantAnswer& one : table.answers)
      if (one.experiment == experiment)
        text += "  " + (one.answer.mark == data::Mark::none ? "–" : sign_of(one.answer.mark)) + " " +
                base::printable(short_label(one.variant)) + ": " + base::printable(one.answer.sentence) + "\n";
  }
  return text.fitted(style.width);
}

StyledText answers_text(const data::AnswerTable& table, const SummaryStyle& style) {
  if (table.answers.empty()) return {};
  std::vector<Column> columns = columns_of(table, false);
  const bool compacted = width_of(columns) + narrowest_name > style.width;
  if (compacted) columns = columns_of(table, true);
  const Names names = names_of(table);
  const std::size_t all = width_of(columns);
  std::size_t longest = 0;
  for (const auto& [variant, name] : names.shown) longest = std::max(longest, terminal_width_of(name));
  const std::size_t room = style.width > all ? style.width - all : 0;
  const std::size_t name_width = std::min(longest, std::max(narrowest_name, room));
  StyledText text;
  for (std::size_t first = 0, end = 0; first < columns.size(); first = end) {
    std::size_t used = 2 + name_width;
    while (end < columns.size() && (end == first || used + gap + columns[end].width <= style.width))
      used += gap + columns[end++].width;
    const std::span<const Column> side_by_side(&columns[first], end - first);
    text += block(side_by_side, names, name_width) + "\n";
    if (first == 0) text += signs_text(names, style.width, compacted);
    text += legend(side_by_side, style) + (end < columns.size() ? "\n" : "");
  }
  return text;
}

}  // namespace poslab::app
