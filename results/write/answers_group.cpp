// SPDX-License-Identifier: Apache-2.0
#include "write/answers_group.hpp"

#include <numeric>

namespace poslab::results {
namespace {

template <class Items, class Of>
auto for_every(const Items& items, const Of& of) {
  std::vector<decltype(of(items.front()))> values;
  values.reserve(items.size());
  for (const auto& item : items) values.push_back(of(item));
  return values;
}

std::vector<std::int64_t> numbered(std::size_t count) {
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// The names of the enumerators 0 .. last.
template <class Enum>
Attributes flag_attributes(const char* sentence, Enum last) {
  std::vector<std::uint8_t> values;
  std::string meanings;  // separated by blanks, so those in words are replaced
  for (std::uint8_t value = 0; value <= static_cast<std::uint8_t>(last); ++value) {
    std::string word = data::to_text(static_cast<Enum>(value));
    for (char& c : word) c = c == ' ' ? '_' : c;
    values.push_back(value);
    meanings += (value ? " " : "") + word;
  }
  return {{"long_name", sentence}, {"flag_values", values}, {"flag_meanings", meanings}};
}

void write_columns(Group& group, const data::AnswerTable& table) {
  const auto column = [&](const char* name, const h5::Values& values, const char* sentence) {
    group.variable(name, {"column"}, values, {{"long_name", sentence}});
  };
  group.dimension("column", numbered(table.columns.size()),
                  {{"units", "1"}, {"long_name", "number of the column, in the study's order"}});
  column("asked", for_every(table.columns, [](const auto& c) { return c.first; }), "experiment that asks");
  column("heading", for_every(table.columns, [](const auto& c) { return c.second.heading; }), "heading of the column");
  column("unit", for_every(table.columns, [](const auto& c) { return c.second.unit; }), "unit of its numbers");
  column("legend", for_every(table.columns, [](const auto& c) { return c.second.legend; }), "what mark and number say");
}

// The numbers of all answers, one below the other.
void write_numbers(Group& group, const data::AnswerTable& table) {
  std::vector<std::int64_t> owner;
  std::vector<data::AnswerNumber> all;
  for (std::size_t answer = 0; answer < table.answers.size(); ++answer)
    for (const data::AnswerNumber& number : table.answers[answer].answer.numbers)
      owner.push_back(static_cast<std::int64_t>(answer)), all.push_back(number);
  const auto column = [&](const char* name, const h5::Values& values, const Attributes& attributes) {
    group.variable(name, {"answer_number"}, values, attributes);
  };
  const auto real = [&](const char* name, double data::AnswerNumber::*member, const char* sentence) {
    column(name, for_every(all, [&](const data::AnswerNumber& n) { return n.*member; }), {{"long_name", sentence}});
  };
  group.dimension("answer_number", numbered(all.size()),
                  {{"units", "1"}, {"long_name", "number of the number, in the order of the answers"}});
  column("of_answer", owner, {{"units", "1"}, {"long_name", "answer to which it belongs"}});
  real("value", &data::AnswerNumber::value,
       "value, in the column's unit unless `after` says another; NaN: a word only");
  real("error", &data::AnswerNumber::error, "standard error of the mean; NaN: of one repeat, or nothing was drawn");
  real("low", &data::AnswerNumber::low, "lower end of the interval by which the mark was given; NaN: value - t error");
  real("high", &data::AnswerNumber::high,
       "upper end of the interval by which the mark was given; NaN: value + t error");
  column("relation", for_every(all, [](const auto& n) { return static_cast<std::uint8_t>(n.relation); }),
         {{"long_name", "how the true number lies to the value"},
          {"flag_values", std::vector<std::uint8_t>{0, 1, 2}},
          {"flag_meanings", "equal below above"}});
  column("digits", for_every(all, [](const auto& n) { return static_cast<std::int64_t>(n.digits); }),
         {{"units", "1"}, {"long_name", "significant digits, where no error says how many"}});
  column("before", for_every(all, [](const auto& n) { return n.before; }), {{"long_name", "what the number is"}});
  column("after", for_every(all, [](const auto& n) { return n.after; }),
         {{"long_name", "its unit, where that is not the column's"}});
}

}  // namespace

void write_answers(const h5::Handle& file, const data::AnswerTable& table) {
  using One = data::VariantAnswer;
  Group group(file, "answers");
  write_columns(group, table);
  const auto column = [&](const char* name, const h5::Values& values, const Attributes& attributes) {
    group.variable(name, {"answer"}, values, attributes);
  };
  group.dimension("answer", numbered(table.answers.size()),
                  {{"units", "1"}, {"long_name", "number of the answer, in plan order"}});
  column("experiment", for_every(table.answers, [](const One& a) { return a.experiment; }),
         {{"long_name", "experiment"}});
  column("variant", for_every(table.answers, [](const One& a) { return a.variant; }),
         {{"long_name", "scheme with the parameters that the study sets or varies"}});
  column("mark", for_every(table.answers, [](const One& a) { return static_cast<std::uint8_t>(a.answer.mark); }),
         flag_attributes("what the answer comes to", data::Mark::cannot_tell));
  column("number", for_every(table.answers, [](const One& a) { return data::numbers_text(a.answer); }),
         {{"long_name", "what stands in the table, in the column's unit"}});
  column("sentence", for_every(table.answers, [](const One& a) { return a.answer.sentence; }),
         {{"long_name", "the answer in full"}});
  column("untrained", for_every(table.answers, [](const One& a) { return static_cast<std::uint8_t>(a.untrained); }),
         {{"long_name", "1: of weights as they are drawn at initialisation"}});
  column("trained", for_every(table.answers, [](const One& a) { return a.trained; }),
         {{"long_name", "of trained weights: on what, or from where they were given"}});
  column("state", for_every(table.answers, [](const One& a) { return static_cast<std::uint8_t>(a.state); }),
         flag_attributes("how it comes that there is an answer, or none", data::AnswerState::not_run));
  column("point", for_every(table.answers, [](const One& a) { return a.point; }),
         {{"long_name", "where its numbers were measured, of several points that its mark is about"}});
  write_numbers(group, table);
  group.close();
}

}  // namespace poslab::results
