// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/answer_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "poslab/data/outcome.hpp"

namespace poslab::data {
namespace {

// In the order in which a legend names them.
constexpr std::array marks{Mark::yes, Mark::no, Mark::partly, Mark::cannot_tell};

std::vector<LegendEntry> legend_of(const AskedColumn& column, const std::set<std::string>& used) {
  std::vector<LegendEntry> legend{{LegendEntry::Kind::column, "", column.declared.legend, column.declared.legend}};
  for (const AnswerWord& one : column.declared.words)
    if (used.contains(one.word))
      legend.push_back({LegendEntry::Kind::word, one.word, one.meaning, fmt::format("{}: {}", one.word, one.meaning)});
  if (!column.point.empty())
    legend.push_back({LegendEntry::Kind::point, "", column.point, "numbers at " + column.point});
  return legend;
}

TableColumn column_of(const AskedColumn& asked, const std::vector<VariantAnswer>& answers) {
  const AnswerColumn& declared = asked.declared;
  std::set<std::string> used{declared.unit};  // stands below the heading, whatever the answers are
  for (const VariantAnswer& one : answers)
    if (one.experiment == asked.experiment) used.merge(words_of(one.answer, declared.unit));
  return {asked.experiment,        declared.heading, declared.unit,
          declared.is_description, asked.point,      legend_of(asked, used)};
}

// "task = copy" of a point that says at which task, with its sizes; empty elsewhere.
std::string task_of(const std::string& point) {
  const std::size_t begin = point.find("task = ");
  return begin == std::string::npos ? "" : point.substr(begin, point.find(", ", begin) - begin);
}

bool has_value(const AnswerNumber& number) { return !std::isnan(number.value); }
bool is_word(const Answer& answer) { return std::ranges::none_of(answer.numbers, has_value); }

std::string cell_text(const VariantAnswer& one, const std::string& column_point, ErrorStyle errors) {
  if (one.state == AnswerState::not_run) return not_run_text;
  if (one.answer.says_nothing()) return no_answer_sign;
  const std::string numbers = numbers_text(one.answer, errors);
  if (numbers.empty()) return "";
  const std::string task = task_of(one.point);  // "untaught" alone does not say at what
  if (!task.empty() && is_word(one.answer)) return fmt::format("{} at {}", numbers, task);
  const bool says_where = !one.point.empty() && one.point != column_point;
  return says_where ? fmt::format("{} at {}", numbers, one.point) : numbers;
}

void add_texts(VariantAnswer& one, const std::vector<TableColumn>& columns) {
  const auto column = std::ranges::find(columns, one.experiment, &TableColumn::experiment);
  const std::string point = column == columns.end() ? "" : column->point;
  one.text = cell_text(one, point, ErrorStyle::plus_minus);
  one.compact = cell_text(one, point, ErrorStyle::last_digit);
  one.needs_reason = one.answer.mark == Mark::none && is_word(one.answer);
}

std::vector<TableRow> rows_of(const std::vector<VariantAnswer>& answers) {
  struct Row {
    std::string variant;
    bool is_untrained = false, is_trained = false;
  };
  std::vector<Row> rows;
  for (const VariantAnswer& one : answers) {
    auto row = std::ranges::find(rows, one.variant, &Row::variant);
    if (row == rows.end()) row = rows.insert(row, {one.variant});
    row->is_untrained = row->is_untrained || one.untrained;
    row->is_trained = row->is_trained || !one.trained.empty();
  }
  std::vector<TableRow> result;
  for (const Row& row : rows) {
    const std::string first = row.is_untrained ? untrained_sign : "", second = row.is_trained ? trained_sign : "";
    result.push_back({row.variant, first + (first.empty() || second.empty() ? "" : " ") + second});
  }
  return result;
}

// As the number is written, an exponent of ten.
bool has_exponent(AnswerNumber number) {
  number.before.clear(), number.after.clear();
  return to_text(number).find_first_of('e') != std::string::npos && std::isfinite(number.value);
}

// What the signs of a table say that are in it.
class Signs {
 public:
  explicit Signs(const AnswerTable& table) : table_(table) {
    for (const Mark mark : marks)
      if (any([&](const VariantAnswer& one) { return one.answer.mark == mark; }))
        add(sign_of(mark), Kind::mark, meaning_of(mark));
    const auto is_silent = [](const VariantAnswer& one) {
      return one.state != AnswerState::not_run && one.answer.says_nothing();
    };
    if (any(is_silent)) add(no_answer_sign, Kind::cell, "no answer");
    if (table.answers.size() < table.rows.size() * table.columns.size()) add(not_asked_sign, Kind::cell, "not asked");
    if (any(&VariantAnswer::untrained)) add_untrained();
    for (const VariantAnswer& one : table.answers)
      for (const std::string& training : one.trained) add(trained_sign, Kind::name, training);
    add_notations();
  }
  std::vector<SignMeaning> all() && { return std::move(signs_); }

 private:
  using Kind = SignMeaning::Kind;
  using Form = SignMeaning::Form;

  template <class Holds>
  bool any(const Holds& holds) const {
    return std::ranges::any_of(table_.answers, holds);
  }
  template <class Holds>
  bool any_number(const Holds& holds) const {
    return any([&](const VariantAnswer& one) { return std::ranges::any_of(one.answer.numbers, holds); });
  }
  void add(const std::string& sign, Kind kind, const std::string& meaning, Form form = Form::both) {
    const SignMeaning entry{sign, kind, form, meaning, meaning};
    if (std::ranges::find(signs_, entry) == signs_.end()) signs_.push_back(entry);
  }
  void add_untrained() {
    for (const Form form : {Form::text, Form::compact})
      signs_.push_back({untrained_sign, Kind::name, form, form == Form::text ? "untrained weights" : "untrained",
                        "untrained weights, as drawn at initialisation: an answer about the start of training"});
  }
  void add_notations() {
    if (any_number([](const AnswerNumber& one) { return one.error > 0 && std::isnan(one.low); })) {
      add("±", Kind::number, "standard error", Form::text);
      add("1.42(3)", Kind::number, "= 1.42 ± 0.03, its standard error", Form::compact);
    }
    if (any_number([](const AnswerNumber& one) { return !std::isnan(one.low); }))
      add("[ ]", Kind::number, "interval that decides");
    if (any_number([](const AnswerNumber& one) { return one.relation == Relation::above; }))
      add(">", Kind::number, "more than");
    if (any_number([](const AnswerNumber& one) { return one.relation == Relation::below; }))
      add("<", Kind::number, "less than");
    if (any_number(has_exponent)) add("1e-04", Kind::number, "= 0.0001");
  }

  const AnswerTable& table_;
  std::vector<SignMeaning> signs_;
};

}  // namespace

const char* to_text(AnswerState state) {
  switch (state) {
    case AnswerState::answered: return "answered";
    case AnswerState::nothing_to_answer: return "nothing to answer";
    case AnswerState::skipped: return "skipped";
    case AnswerState::failed: return "failed";
    case AnswerState::not_run: return "not run";
  }
  return "answered";
}

const char* to_text(LegendEntry::Kind kind) {
  switch (kind) {
    case LegendEntry::Kind::column: return "column";
    case LegendEntry::Kind::word: return "word";
    case LegendEntry::Kind::point: return "point";
  }
  return "column";
}

const char* to_text(SignMeaning::Kind kind) {
  switch (kind) {
    case SignMeaning::Kind::mark: return "mark";
    case SignMeaning::Kind::cell: return "cell";
    case SignMeaning::Kind::name: return "name";
    case SignMeaning::Kind::number: return "number";
  }
  return "mark";
}

const char* to_text(SignMeaning::Form form) {
  switch (form) {
    case SignMeaning::Form::both: return "both";
    case SignMeaning::Form::text: return "text";
    case SignMeaning::Form::compact: return "compact";
  }
  return "both";
}

const char* to_text(Relation relation) {
  switch (relation) {
    case Relation::equal: return "equal";
    case Relation::below: return "below";
    case Relation::above: return "above";
  }
  return "equal";
}

const char* sign_of(Mark mark) {
  switch (mark) {
    case Mark::yes: return "✓";
    case Mark::no: return "✗";
    case Mark::partly: return "~";
    case Mark::cannot_tell: return "?";
    case Mark::none: break;
  }
  return "";
}

const char* meaning_of(Mark mark) {
  return mark == Mark::partly ? "in part" : to_text(mark);  // of a property, which is there in part
}

std::string TableColumn::legend_text() const {
  std::string text;
  for (const LegendEntry& entry : legend) text += (text.empty() ? "" : "; ") + entry.text;
  return text;
}

AskedColumn asked_column(const std::string& experiment, AnswerColumn declared, const std::string& point) {
  for (const auto& [status, meaning] :
       {std::pair(Status::failed, "a cell ended in an error"), std::pair(Status::crashed, "a cell ended its process"),
        std::pair(Status::timeout, "a cell took longer than it may")})
    declared.words.push_back({to_text(status), meaning});
  return {experiment, std::move(declared), point};
}

AnswerTable answer_table(const std::vector<AskedColumn>& columns, std::vector<VariantAnswer> answers) {
  AnswerTable table;
  for (const AskedColumn& asked : columns) table.columns.push_back(column_of(asked, answers));
  for (VariantAnswer& one : answers) add_texts(one, table.columns);
  table.answers = std::move(answers);
  table.rows = rows_of(table.answers);
  table.signs = Signs(table).all();
  return table;
}

}  // namespace poslab::data
