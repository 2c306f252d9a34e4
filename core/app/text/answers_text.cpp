// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/answers_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <sstream>

#include "poslab/app/text/text_table.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t narrowest_name = 16, gap = 2;  // characters
constexpr const char *no_answer = "–", *not_run = "…";
constexpr std::ptrdiff_t most_legend_lines = 4;  // below one of what the signs say

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
  std::string point;                     // where its numbers were measured, but those that say another
  std::set<std::string> words;           // that stand beside its numbers
  std::map<std::string, Entry> entries;  // by variant
  std::size_t width = 0;
};

data::AnswerColumn printable(const data::AnswerColumn& column) {
  return {base::printable(column.heading), base::printable(column.unit), base::printable(column.legend)};
}

// The one of most rows.
std::string usual_point(const data::AnswerTable& table, const std::string& experiment) {
  std::map<std::string, std::size_t> rows;
  std::string usual;
  for (const data::VariantAnswer& one : table.answers)
    if (one.experiment == experiment && !one.point.empty() && ++rows[one.point] > (usual.empty() ? 0 : rows[usual]))
      usual = one.point;
  return usual;
}

std::string entry_text(const data::VariantAnswer& one, const std::string& usual_point, data::ErrorStyle errors) {
  if (one.state == data::AnswerState::not_run) return not_run;
  if (one.answer.says_nothing()) return no_answer;
  const std::string numbers = numbers_text(one.answer, errors);
  return base::printable(one.point == usual_point || numbers.empty() ? numbers
                                                                     : fmt::format("{} at {}", numbers, one.point));
}

std::vector<Column> columns_of(const data::AnswerTable& table, bool compacted) {
  const data::ErrorStyle errors = compacted ? data::ErrorStyle::last_digit : data::ErrorStyle::plus_minus;
  std::vector<Column> columns;
  for (const auto& [experiment, declared] : table.columns) {
    Column column{printable(declared), usual_point(table, experiment), {}, {}, 0};
    column.width = 2 + std::max(terminal_width_of(column.declared.heading), terminal_width_of(column.declared.unit));
    for (const data::VariantAnswer& one : table.answers)
      if (one.experiment == experiment) {
        const Entry entry{one.answer.mark, entry_text(one, column.point, errors)};
        column.width = std::max(column.width, entry.width());
        column.entries[one.variant] = entry;
        for (const data::AnswerNumber& number : one.answer.numbers)
          for (const std::string& word : {number.before, number.after})
            if (!word.empty()) column.words.insert(word);
      }
    columns.push_back(std::move(column));
  }
  return columns;
}

void add_once(std::vector<std::string>& all, const std::string& one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

struct Names {
  std::vector<std::string> variants;         // in the study's order
  std::map<std::string, std::string> shown;  // by variant
  bool has_untrained = false, has_not_run = false;
  std::vector<std::string> doubts;  // of plugins, each once
  std::vector<std::string> weights_files;
  std::vector<std::string> trained;  // what is said of trained weights, each once
};

Names names_of(const data::AnswerTable& table, const TableNotes& notes) {
  Names names;
  names.weights_files = notes.weights_files;
  for (const data::VariantAnswer& one : table.answers) {
    std::string& shown = names.shown[one.variant];
    if (shown.empty()) {
      names.variants.push_back(one.variant);
      shown = base::printable(short_label(one.variant));
      if (const auto doubt = notes.doubts.find(one.variant); doubt != notes.doubts.end()) {
        shown += " !";
        add_once(names.doubts, doubt->second);
      }
    }
    if (one.untrained && shown.find(" *") == std::string::npos) shown += " *";
    if (!one.trained.empty() && shown.find(" †") == std::string::npos) shown += " †";
    if (!one.trained.empty()) add_once(names.trained, one.trained);
    names.has_untrained = names.has_untrained || one.untrained;
    names.has_not_run = names.has_not_run || one.state == data::AnswerState::not_run;
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
  if (names.has_not_run) line += "  … not run";
  if (names.has_untrained) line += compacted ? "  * untrained" : "  * untrained weights";
  if (compacted) line += "  1.42(3): ± 0.03";
  std::string doubts;
  for (const std::string& doubt : names.doubts) doubts += (doubts.empty() ? "  ! " : "; ") + base::printable(doubt);
  return wrapped(line, width, 2) + trained_text(names.trained, width, names.weights_files) +
         (doubts.empty() ? "" : wrapped(doubts, width, 4));
}

std::string point_text(const Column& column, const char* before) {
  return column.point.empty() ? "" : before + base::printable(column.point);
}

std::string line_for_each(std::span<const Column> columns, std::size_t width) {
  std::size_t heading_width = 0;
  for (const Column& column : columns)
    heading_width = std::max(heading_width, terminal_width_of(column.declared.heading));
  std::string text;
  for (const Column& column : columns)
    text += wrapped(StyledText("  " + column.declared.heading).pad_to(heading_width + 4).plain() +
                        column.declared.legend + point_text(column, "; numbers at "),
                    width, heading_width + 4);
  return text;
}

// What stands before the legend's first semicolon, and the parts with a word that stands beside a number.
std::string short_legend(const Column& column) {
  std::istringstream parts(column.declared.legend);
  std::string text;
  for (std::string part; std::getline(parts, part, ';');) {
    const bool is_needed = std::any_of(column.words.begin(), column.words.end(),
                                       [&](const std::string& word) { return part.find(word) != std::string::npos; });
    if (text.empty() || is_needed) text += (text.empty() ? "" : ",") + part;
  }
  return text;
}

// One behind the other, in short.
std::string running_lines(std::span<const Column> columns, std::size_t width) {
  std::string line = " ";
  for (const Column& column : columns)
    line += fmt::format(" {}: {}{}{}", column.declared.heading, short_legend(column), point_text(column, ", at "),
                        &column == &columns.back() ? "" : ";");
  return wrapped(line, width, 2);
}

std::string legend(std::span<const Column> columns, const SummaryStyle& style) {
  const std::string text = line_for_each(columns, style.width);
  const bool fits = std::count(text.begin(), text.end(), '\n') <= most_legend_lines;
  return fits || style.verbose ? text : running_lines(columns, style.width);
}

}  // namespace

std::string trained_text(const std::vector<std::string>& notes, std::size_t width,
                         const std::vector<std::string>& weights_files) {
  constexpr std::size_t most = 3;
  if (notes.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(most, notes.size()); ++i) text += (i ? "; " : "") + base::printable(notes[i]);
  if (notes.size() > most) text += fmt::format("; {} more, in the messages of the cells", notes.size() - most);
  if (!weights_files.empty()) text += "; weights from " + base::printable(base::enumerate(weights_files));
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

StyledText answers_text(const data::AnswerTable& table, const SummaryStyle& style, const TableNotes& notes) {
  if (table.answers.empty()) return {};
  std::vector<Column> columns = columns_of(table, false);
  const bool compacted = width_of(columns) + narrowest_name > style.width;
  if (compacted) columns = columns_of(table, true);
  const Names names = names_of(table, notes);
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
