// SPDX-License-Identifier: Apache-2.0
// The table of answers: a line for each variant, a column for each question.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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
constexpr const char *no_answer = "–", *not_run = "not run", *not_asked = "·";

// In the order in which a legend names them.
constexpr std::array marks{data::Mark::yes, data::Mark::no, data::Mark::partly, data::Mark::cannot_tell};

const char* character_of(data::Mark mark) {
  switch (mark) {
    case data::Mark::yes: return "✓";
    case data::Mark::no: return "✗";
    case data::Mark::partly: return "~";
    case data::Mark::cannot_tell: return "?";
    case data::Mark::none: break;
  }
  return "";
}

const char* meaning_of(data::Mark mark) {
  return mark == data::Mark::partly ? "in part" : data::to_text(mark);  // of a property, which is there in part
}

// Colours are for what is good or bad, which the mark of a description is not.
StyledText mark_sign(data::Mark mark, const data::AnswerColumn& column) {
  if (column.is_description) return character_of(mark);
  switch (mark) {
    case data::Mark::yes: return {Style::good, character_of(mark)};
    case data::Mark::no: return {Style::bad, character_of(mark)};
    case data::Mark::partly: return {Style::partly, character_of(mark)};
    case data::Mark::cannot_tell: return {Style::unsure, character_of(mark)};
    case data::Mark::none: break;
  }
  return {};
}

// A cell of the table, marks in a place of their own so that numbers begin below each other.
struct Entry {
  data::Mark mark = data::Mark::none;
  std::string number;
  std::size_t width() const { return 2 + display_width(number); }
  StyledText text(const data::AnswerColumn& of) const {
    return number.empty() ? mark_sign(mark, of) : mark_sign(mark, of).pad_to(2) + number;
  }
};

struct Column {
  data::AnswerColumn declared;
  std::string point;                     // where its numbers were measured, but those that say another
  std::map<std::string, Entry> entries;  // by variant
  std::size_t width = 0;
};

data::AnswerColumn printable(const data::AnswerColumn& column) {
  return {base::printable(column.heading),
          base::printable(column.unit),
          base::printable(column.legend),
          {},
          column.is_description};
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

// "task = copy" of a point that says at which task, with its sizes; empty elsewhere.
std::string task_of(const std::string& point) {
  const std::size_t begin = point.find("task = ");
  return begin == std::string::npos ? "" : point.substr(begin, point.find(", ", begin) - begin);
}

bool is_word(const data::Answer& answer) {
  return std::ranges::all_of(answer.numbers, [](const data::AnswerNumber& one) { return std::isnan(one.value); });
}

std::string entry_text(const data::VariantAnswer& one, const std::string& usual_point, data::ErrorStyle errors) {
  if (one.state == data::AnswerState::not_run) return not_run;
  if (one.answer.says_nothing()) return no_answer;
  const std::string numbers = numbers_text(one.answer, errors);
  const std::string task = task_of(one.point);  // "untaught" alone does not say at what
  if (!numbers.empty() && !task.empty() && is_word(one.answer))
    return base::printable(fmt::format("{} at {}", numbers, task));
  const bool says_where = !numbers.empty() && !one.point.empty() && one.point != usual_point;
  return base::printable(says_where ? fmt::format("{} at {}", numbers, one.point) : numbers);
}

std::vector<Column> columns_of(const data::AnswerTable& table, bool compacted) {
  const data::ErrorStyle errors = compacted ? data::ErrorStyle::last_digit : data::ErrorStyle::plus_minus;
  std::vector<Column> columns;
  for (const auto& [experiment, declared] : table.columns) {
    Column column{printable(declared), usual_point(table, experiment), {}, 0};
    column.width = 2 + std::max(display_width(column.declared.heading), display_width(column.declared.unit));
    for (const data::VariantAnswer& one : table.answers)
      if (one.experiment == experiment) {
        const Entry entry{one.answer.mark, entry_text(one, column.point, errors)};
        column.width = std::max(column.width, entry.width());
        column.entries[one.variant] = entry;
      }
    columns.push_back(std::move(column));
  }
  return columns;
}

struct Name {
  std::string variant;
  bool is_doubted = false, is_untrained = false, is_trained = false;
  std::string text() const {
    return base::printable(variant) + (is_doubted ? " !" : "") + (is_untrained ? " *" : "") + (is_trained ? " †" : "");
  }
};

// In the study's order.
std::vector<Name> names_of(const data::AnswerTable& table, const TableNotes& notes) {
  std::vector<Name> names;
  for (const data::VariantAnswer& one : table.answers) {
    auto name = std::ranges::find(names, one.variant, &Name::variant);
    if (name == names.end()) name = names.insert(name, {one.variant, notes.doubts.contains(one.variant)});
    name->is_untrained = name->is_untrained || one.untrained;
    name->is_trained = name->is_trained || !one.trained.empty();
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
  StyledText text = line_of({}, columns, name_width, [&](const Column& c) { return above(c.declared.heading); }) + "\n";
  const StyledText units = line_of({}, columns, name_width, [&](const Column& c) { return above(c.declared.unit); });
  if (!units.empty()) text += units + "\n";
  for (const Name& row : names) {
    const std::string name = row.text();
    const bool is_alone = display_width(name) > name_width;
    if (is_alone) text += "  " + name + "\n";
    const StyledText begin = is_alone ? "" : "  " + name;
    text += line_of(begin, columns, name_width, [&](const Column& column) {
      const auto entry = column.entries.find(row.variant);
      return entry == column.entries.end() ? StyledText(not_asked) : entry->second.text(column.declared);
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
    if (name.is_doubted && known.insert(notes.doubts.at(name.variant)).second)
      text += (text.empty() ? "  ! " : "; ") + base::printable(notes.doubts.at(name.variant));
  return text;
}

// What the signs of a table say that are in it.
class Signs {
 public:
  Signs(const data::AnswerTable& table, const std::vector<Name>& names, bool compacted) {
    const auto any = [&](const auto& holds) { return std::ranges::any_of(table.answers, holds); };
    const auto any_number = [&](const auto& holds) {
      return any([&](const data::VariantAnswer& one) { return std::ranges::any_of(one.answer.numbers, holds); });
    };
    using Number = data::AnswerNumber;
    for (const data::Mark mark : marks)
      add(any([&](const data::VariantAnswer& one) { return one.answer.mark == mark; }), character_of(mark),
          meaning_of(mark));
    add(any([](const data::VariantAnswer& one) { return is_silent(one); }), no_answer, "no answer");
    add(table.answers.size() < names.size() * table.columns.size(), not_asked, "not asked");
    add(std::ranges::any_of(names, &Name::is_untrained), "*", compacted ? "untrained" : "untrained weights");
    const bool has_error = any_number([](const Number& one) { return one.error > 0 && std::isnan(one.low); });
    add(has_error && !compacted, "±", "standard error");
    add(has_error && compacted, "1.42(3)", "= 1.42 ± 0.03, its standard error");
    add(any_number([](const Number& one) { return !std::isnan(one.low); }), "[ ]", "interval that decides");
    add(any_number([](const Number& one) { return one.relation == data::Relation::above; }), ">", "more than");
    add(any_number([](const Number& one) { return one.relation == data::Relation::below; }), "<", "less than");
    const bool has_exponent = any_number([](const Number& one) {
      const std::string text = data::to_text(one);
      return text.find("e-") != std::string::npos || text.find("e+") != std::string::npos;
    });
    add(has_exponent, "1e-04", "= 0.0001");
  }
  std::string text(std::size_t width) const { return wrapped(line_, width, 2); }

 private:
  static bool is_silent(const data::VariantAnswer& one) {
    return one.state != data::AnswerState::not_run && one.answer.says_nothing();
  }
  void add(bool is_there, const char* sign, const char* meaning) {
    if (is_there) line_ += fmt::format("  {} {}", sign, meaning);
  }
  std::string line_;
};

// What stands once below a table, whatever its columns.
std::string signs_text(const data::AnswerTable& table, const std::vector<Name>& names, const TableNotes& notes,
                       std::size_t width, bool compacted) {
  const std::string doubts = doubts_text(names, notes);
  return Signs(table, names, compacted).text(width) + trainings_text(notes, width) +
         (doubts.empty() ? "" : wrapped(doubts, width, 4));
}

std::string point_text(const Column& column) {
  return column.point.empty() ? "" : "; numbers at " + base::printable(column.point);
}

std::string legend(std::span<const Column> columns, std::size_t width) {
  std::size_t heading_width = 0;
  for (const Column& column : columns) heading_width = std::max(heading_width, display_width(column.declared.heading));
  std::string text;
  for (const Column& column : columns)
    text += wrapped(StyledText("  " + column.declared.heading).pad_to(heading_width + 4).plain() +
                        column.declared.legend + point_text(column),
                    width, heading_width + 4);
  return text;
}

// Rows of a column that say the same: how many, and who.
struct AlikeRows {
  const char* sign;
  std::vector<std::string> names;
};

std::vector<AlikeRows> groups_of(const data::AnswerTable& table, const std::string& experiment) {
  std::vector<AlikeRows> groups;
  for (const data::Mark mark : marks) groups.push_back({character_of(mark), {}});
  AlikeRows numbers{"no mark", {}}, silent{no_answer, {}}, waiting{not_run, {}};
  for (const data::VariantAnswer& one : table.answers) {
    if (one.experiment != experiment) continue;
    const std::string name = base::printable(one.variant);
    if (const auto mark = std::ranges::find(marks, one.answer.mark); mark != marks.end())
      groups[static_cast<std::size_t>(mark - marks.begin())].names.push_back(name);
    else if (one.state == data::AnswerState::not_run)
      waiting.names.push_back(name);
    else
      (one.answer.says_nothing() ? silent : numbers).names.push_back(name);
  }
  for (AlikeRows& group : {std::ref(numbers), std::ref(silent), std::ref(waiting)}) groups.push_back(std::move(group));
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

std::string trainings_text(const TableNotes& notes, std::size_t width) {
  constexpr std::size_t most = 3;
  const std::vector<std::string>& all = notes.trainings;
  if (all.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) text += (i ? "; " : "") + base::printable(all[i]);
  if (all.size() > most) text += fmt::format("; {} more, in the messages of the cells", all.size() - most);
  if (!notes.weights_files.empty()) text += "; weights from " + base::printable(base::enumerate(notes.weights_files));
  return wrapped("  † " + text, width, 4);
}

StyledText sentences_text(const data::AnswerTable& table, const SummaryStyle& style) {
  StyledText text;
  for (const auto& [experiment, column] : table.columns) {
    text += fmt::format("\n{}, by {}\n", base::printable(column.heading), base::printable(experiment));
    for (const data::VariantAnswer& one : table.answers)
      if (one.experiment == experiment)
        text += "  " + (one.answer.mark == data::Mark::none ? "–" : mark_sign(one.answer.mark, column)) + " " +
                base::printable(one.variant) + ": " + base::printable(one.answer.sentence) + "\n";
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
  for (const Name& name : names) longest = std::max(longest, display_width(name.text()));
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

std::string digest_text(const data::AnswerTable& table, const TableNotes& notes, std::size_t width) {
  if (table.answers.empty()) return "";
  const std::vector<Name> names = names_of(table, notes);
  std::size_t heading_width = 0;
  for (const auto& [experiment, column] : table.columns)
    heading_width = std::max(heading_width, display_width(base::printable(column.heading)));
  std::string text = fmt::format("\nin short, of {} (✓ yes  ✗ no  ~ in part  ? cannot tell  – no answer)\n",
                                 base::counted(names.size(), "row"));
  for (const auto& [experiment, column] : table.columns) {
    const std::string heading = StyledText("  " + base::printable(column.heading)).pad_to(heading_width + 4).plain();
    const std::size_t room = width > heading_width + 4 ? width - heading_width - 4 : 1;
    text += heading + groups_text(groups_of(table, experiment), room) + "\n";
  }
  return text;
}

}  // namespace poslab::app
