// SPDX-License-Identifier: Apache-2.0
#include "write/groups.hpp"

namespace poslab::results {
namespace {

// The numbers of all answers, one below the other.
void write_numbers(Group& group, const data::AnswerTable& table) {
  std::vector<std::int64_t> owner;
  std::vector<data::AnswerNumber> all;
  for (std::size_t answer = 0; answer < table.answers.size(); ++answer)
    for (const data::AnswerNumber& number : table.answers[answer].answer.numbers)
      owner.push_back(static_cast<std::int64_t>(answer)), all.push_back(number);
  const CountedColumns columns(group, "answer_number", all.size(), "number of the number, in the order of the answers");
  const auto column = [&](const char* name, const Attributes& attributes, auto data::AnswerNumber::*member) {
    columns.add(name, attributes, [&](std::size_t i) { return all[i].*member; });
  };
  using Number = data::AnswerNumber;
  columns.add("of_answer", {{"units", "1"}, {"long_name", "answer to which it belongs"}},
              [&](std::size_t i) { return owner[i]; });
  column("value", {{"long_name", "value, in the column's unit unless `after` says another; NaN: a word only"}},
         &Number::value);
  column("error", {{"long_name", "standard error of the mean; NaN: of one repeat, or nothing was drawn"}},
         &Number::error);
  column("low", {{"long_name", "lower end of the interval by which the mark was given; NaN: value - t error"}},
         &Number::low);
  column("high", {{"long_name", "upper end of the interval by which the mark was given; NaN: value + t error"}},
         &Number::high);
  column("relation",
         {{"long_name", "how the true number lies to the value"},
          {"flag_values", std::vector<std::uint8_t>{0, 1, 2}},
          {"flag_meanings", "equal below above"}},
         &Number::relation);
  column("digits", {{"units", "1"}, {"long_name", "significant digits, where no error says how many"}},
         &Number::digits);
  column("before", {{"long_name", "what the number is"}}, &Number::before);
  column("after", {{"long_name", "its unit, where that is not the column's"}}, &Number::after);
}

// What is said of trained weights, one below the other: in a group inside, which earlier readers overlook.
void write_trainings(const Group& answers, const data::AnswerTable& table) {
  std::vector<std::int64_t> owner;
  std::vector<std::string> notes;
  for (std::size_t answer = 0; answer < table.answers.size(); ++answer)
    for (const std::string& note : table.answers[answer].trained)
      owner.push_back(static_cast<std::int64_t>(answer)), notes.push_back(note);
  Group group(answers.handle(), "trainings");
  const CountedColumns columns(group, "training", notes.size(), "number of the note, in the order of the answers");
  columns.add("of_answer", {{"units", "1"}, {"long_name", "answer to which it belongs"}},
              [&](std::size_t i) { return owner[i]; });
  columns.add("note", {{"long_name", "on what weights were trained, or from where they were given"}},
              [&](std::size_t i) { return notes[i]; });
  group.close();
}

void write_columns(Group& group, const data::AnswerTable& table) {
  const CountedColumns columns(group, "column", table.columns.size(), "number of the column, in the study's order");
  const auto declared = [&](const char* name, const char* sentence, std::string data::AnswerColumn::*member) {
    columns.add(name, {{"long_name", sentence}}, [&](std::size_t i) { return table.columns[i].second.*member; });
  };
  columns.add("asked", {{"long_name", "experiment that asks"}}, [&](std::size_t i) { return table.columns[i].first; });
  declared("heading", "heading of the column", &data::AnswerColumn::heading);
  declared("unit", "unit of its numbers", &data::AnswerColumn::unit);
  declared("legend", "what mark and number say, and every word beside them", &data::AnswerColumn::legend);
  std::string descriptions;
  for (const auto& [experiment, column] : table.columns)
    if (column.is_description) descriptions += (descriptions.empty() ? "" : " ") + experiment;
  if (!descriptions.empty()) group.attribute("descriptions", descriptions);
}

}  // namespace

void write_answers(const h5::Handle& file, const data::AnswerTable& table) {
  using One = data::VariantAnswer;
  Group group(file, "answers");
  write_columns(group, table);
  const CountedColumns columns(group, "answer", table.answers.size(), "number of the answer, in plan order");
  const auto column = [&](const char* name, const Attributes& attributes, const auto& of) {
    columns.add(name, attributes, [&](std::size_t i) { return of(table.answers[i]); });
  };
  column("experiment", {{"long_name", "experiment"}}, [](const One& a) { return a.experiment; });
  column("variant", {{"long_name", "scheme with the parameters that the study sets or varies"}},
         [](const One& a) { return a.variant; });
  column("mark", flags_to(data::Mark::cannot_tell, "what the answer comes to"),
         [](const One& a) { return a.answer.mark; });
  column("number", {{"long_name", "what stands in the table, in the column's unit"}},
         [](const One& a) { return data::numbers_text(a.answer); });
  column("sentence", {{"long_name", "the answer in full"}}, [](const One& a) { return a.answer.sentence; });
  column("untrained", {{"long_name", "1: of weights as they are drawn at initialisation"}},
         [](const One& a) { return a.untrained; });
  column("state", flags_to(data::AnswerState::not_run, "how it comes that there is an answer, or none"),
         [](const One& a) { return a.state; });
  column("point", {{"long_name", "where its numbers were measured, of several points that its mark is about"}},
         [](const One& a) { return a.point; });
  write_numbers(group, table);
  write_trainings(group, table);
  group.close();
}

}  // namespace poslab::results
