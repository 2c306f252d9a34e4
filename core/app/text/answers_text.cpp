// SPDX-License-Identifier: Apache-2.0
// The table of answers: a line for each variant, a column for each question.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "terminal/styled_text.hpp"
#include "text/summary.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t narrowest_name = 16, gap = 2;  // characters

// Colours are for what is good or bad, which the mark of a description is not.
StyledText mark_sign(data::Mark mark, bool is_description) {
  if (is_description) return data::sign_of(mark);
  switch (mark) {
    case data::Mark::yes: return {Style::good, data::sign_of(mark)};
    case data::Mark::no: return {Style::bad, data::sign_of(mark)};
    case data::Mark::partly: return {Style::partly, data::sign_of(mark)};
    case data::Mark::cannot_tell: return {Style::unsure, data::sign_of(mark)};
    case data::Mark::none: break;
  }
  return {};
}

// A cell of the table, marks in a place of their own so that numbers begin below each other.
struct Entry {
  data::Mark mark = data::Mark::none;
  std::string number;
  std::size_t width() const { return 2 + display_width(number); }
  StyledText text(bool is_description) const {
    return number.empty() ? mark_sign(mark, is_description) : mark_sign(mark, is_description).pad_to(2) + number;
  }
};

struct Column {
  std::string heading, unit, legend;
  bool is_description = false;
  std::map<std::string, Entry> entries;  // by variant
  std::size_t width = 0;
};

std::vector<Column> columns_of(const data::AnswerTable& table, bool compacted) {
  std::vector<Column> columns;
  for (const data::TableColumn& made : table.columns) {
    Column column{base::printable(made.heading),
                  base::printable(made.unit),
                  base::printable(made.legend_text()),
                  made.is_description,
                  {},
                  0};
    column.width = 2 + std::max(display_width(column.heading), display_width(column.unit));
    for (const data::VariantAnswer& one : table.answers)
      if (one.experiment == made.experiment) {
        const Entry entry{one.answer.mark, base::printable(compacted ? one.compact : one.text)};
        column.width = std::max(column.width, entry.width());
        column.entries[one.variant] = entry;
      }
    columns.push_back(std::move(column));
  }
  return columns;
}

struct Name {
  std::string variant, text;
};

std::vector<Name> names_of(const data::AnswerTable& table, const TableNotes& notes) {
  std::vector<Name> names;
  for (const data::TableRow& row : table.rows) {
    const std::string doubt = notes.doubts.contains(row.variant) ? " !" : "";
    names.push_back({row.variant, base::printable(row.variant) + doubt +
                                      (row.signs.empty() ? "" : " " + base::printable(row.signs))});
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

StyledText block(std::span<const Column> columns, const std::vector<Name>& names, std::size_t name_width) {
  const auto above = [](const std::string& words) { return words.empty() ? StyledText() : StyledText("  " + words); };
  StyledText text = line_of({}, columns, name_width, [&](const Column& c) { return above(c.heading); }) + "\n";
  const StyledText units = line_of({}, columns, name_width, [&](const Column& c) { return above(c.unit); });
  if (!units.empty()) text += units + "\n";
  for (const Name& row : names) {
    const std::string& name = row.text;
    const bool is_alone = display_width(name) > name_width;
    if (is_alone) text += "  " + name + "\n";
    const StyledText begin = is_alone ? "" : "  " + name;
    text += line_of(begin, columns, name_width, [&](const Column& column) {
      const auto entry = column.entries.find(row.variant);
      return entry == column.entries.end() ? StyledText(data::not_asked_sign)
                                           : entry->second.text(column.is_description);
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

// Why plugins are in doubt, each reason once.
std::string doubts_text(const std::vector<Name>& names, const TableNotes& notes) {
  std::string text;
  std::set<std::string> known;
  for (const Name& name : names)
    if (const auto doubt = notes.doubts.find(name.variant); doubt != notes.doubts.end())
      if (known.insert(doubt->second).second) text += (text.empty() ? "  ! " : "; ") + base::printable(doubt->second);
  return text;
}

std::vector<std::string> trainings_of(const data::AnswerTable& table) {
  std::vector<std::string> trainings;
  for (const data::SignMeaning& one : table.signs)
    if (one.sign == data::trained_sign) trainings.push_back(one.meaning);
  return trainings;
}

// What stands once below a table, whatever its columns.
std::string signs_text(const data::AnswerTable& table, const std::vector<Name>& names, const TableNotes& notes,
                       std::size_t width, bool compacted) {
  using Form = data::SignMeaning::Form;
  std::string line;
  for (const data::SignMeaning& one : table.signs)
    if (one.form != (compacted ? Form::text : Form::compact) && one.sign != data::trained_sign)
      line += base::printable(fmt::format("  {} {}", one.sign, one.meaning));
  const std::string doubts = doubts_text(names, notes);
  return wrapped(line, width, 2) + trainings_text(trainings_of(table), notes.weights_files, width) +
         (doubts.empty() ? "" : wrapped(doubts, width, 4));
}

std::string legend(std::span<const Column> columns, std::size_t width) {
  std::size_t heading_width = 0;
  for (const Column& column : columns) heading_width = std::max(heading_width, display_width(column.heading));
  std::string text;
  for (const Column& column : columns)
    text += wrapped(StyledText("  " + column.heading).pad_to(heading_width + 4).plain() + column.legend, width,
                    heading_width + 4);
  return text;
}

// Rows of a column that say the same: how many, and who.
struct AlikeRows {
  std::string sign;
  std::vector<std::string> names = {};
};

std::string group_sign(const data::VariantAnswer& one) {
  if (one.answer.mark != data::Mark::none) return data::sign_of(one.answer.mark);
  return one.state == data::AnswerState::not_run || one.answer.says_nothing() ? one.text : "no mark";
}

std::vector<AlikeRows> groups_of(const data::AnswerTable& table, const std::string& experiment) {
  using data::sign_of, data::Mark;
  std::vector<AlikeRows> groups{{sign_of(Mark::yes)},         {sign_of(Mark::no)}, {sign_of(Mark::partly)},
                                {sign_of(Mark::cannot_tell)}, {"no mark"},         {data::no_answer_sign},
                                {data::not_run_text}};
  for (const data::VariantAnswer& one : table.answers)
    if (const auto group = std::ranges::find(groups, group_sign(one), &AlikeRows::sign);
        one.experiment == experiment && group != groups.end())
      group->names.push_back(base::printable(one.variant));
  std::erase_if(groups, [](const AlikeRows& group) { return group.names.empty(); });
  return groups;
}

// "✓ 8  ~ 2  ✗ 1: none": with the names of those groups, the small ones first, for which there is room.
std::string groups_text(const std::vector<AlikeRows>& groups, std::size_t room) {
  std::vector<std::string> texts;
  std::size_t used = 0;
  for (const AlikeRows& group : groups) {
    texts.push_back(fmt::format("{} {}", group.sign, group.names.size()));
    used += display_width(texts.back()) + 2;
  }
  std::vector<std::size_t> order(groups.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return groups[i].names.size(); });
  for (const std::size_t i : order) {
    const std::string names = ": " + base::enumerate(groups[i].names);
    if (used + display_width(names) > room + 2) continue;
    used += display_width(names);
    texts[i] += names;
  }
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : "  ") + one;
  return text;
}

}  // namespace

std::string trainings_text(const std::vector<std::string>& trainings, const std::vector<std::string>& weights_files,
                           std::size_t width) {
  constexpr std::size_t most = 3;
  if (trainings.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(most, trainings.size()); ++i)
    text += (i ? "; " : "") + base::printable(trainings[i]);
  if (trainings.size() > most) text += fmt::format("; {} more, in the messages of the cells", trainings.size() - most);
  if (!weights_files.empty()) text += "; weights from " + base::printable(base::enumerate(weights_files));
  return wrapped("  † " + text, width, 4);
}

StyledText sentences_text(const data::AnswerTable& table, const SummaryStyle& style) {
  StyledText text;
  for (const data::TableColumn& column : table.columns) {
    text += fmt::format("\n{}, by {}\n", base::printable(column.heading), base::printable(column.experiment));
    for (const data::VariantAnswer& one : table.answers)
      if (one.experiment == column.experiment)
        text += "  " +
                (one.answer.mark == data::Mark::none ? data::no_answer_sign
                                                     : mark_sign(one.answer.mark, column.is_description)) +
                " " + base::printable(one.variant) + ": " + base::printable(one.answer.sentence) + "\n";
  }
  return text.fitted(style.width);
}

StyledText answers_text(const data::AnswerTable& table, const SummaryStyle& style, const TableNotes& notes) {
  if (table.answers.empty()) return {};
  std::vector<Column> columns = columns_of(table, false);
  const bool compacted = width_of(columns) + narrowest_name > style.width;
  if (compacted) columns = columns_of(table, true);
  const std::vector<Name> names = names_of(table, notes);
  const std::size_t all = width_of(columns);
  std::size_t longest = 0;
  for (const Name& name : names) longest = std::max(longest, display_width(name.text));
  const std::size_t room = style.width > all ? style.width - all : 0;
  const std::size_t name_width = std::min(longest, std::max(narrowest_name, room));
  StyledText text;
  for (std::size_t first = 0, end = 0; first < columns.size(); first = end) {
    std::size_t used = 2 + name_width;
    while (end < columns.size() && (end == first || used + gap + columns[end].width <= style.width))
      used += gap + columns[end++].width;
    const std::span<const Column> side_by_side(&columns[first], end - first);
    text += block(side_by_side, names, name_width) + "\n";
    if (first == 0) text += signs_text(table, names, notes, style.width, compacted);
    text += legend(side_by_side, style.width) + (end < columns.size() ? "\n" : "");
  }
  return text;
}

std::string digest_text(const data::AnswerTable& table, std::size_t width) {
  if (table.answers.empty()) return "";
  std::size_t heading_width = 0;
  for (const data::TableColumn& column : table.columns)
    heading_width = std::max(heading_width, display_width(base::printable(column.heading)));
  std::string text = fmt::format("\nin short, of {} (✓ yes  ✗ no  ~ in part  ? cannot tell  – no answer)\n",
                                 base::counted(table.rows.size(), "row"));
  for (const data::TableColumn& column : table.columns) {
    const std::string heading = StyledText("  " + base::printable(column.heading)).pad_to(heading_width + 4).plain();
    const std::size_t room = width > heading_width + 4 ? width - heading_width - 4 : 1;
    text += heading + groups_text(groups_of(table, column.experiment), room) + "\n";
  }
  return text;
}

}  // namespace poslab::app
