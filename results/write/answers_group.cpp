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

Attributes mark_attributes() {
  std::vector<std::uint8_t> values;
  std::string meanings;  // separated by blanks, so those in words are replaced
  for (std::uint8_t value = 0; value <= static_cast<std::uint8_t>(data::Mark::cannot_tell); ++value) {
    std::string word = data::to_text(static_cast<data::Mark>(value));
    for (char& c : word) c = c == ' ' ? '_' : c;
    values.push_back(value);
    meanings += (value ? " " : "") + word;
  }
  return {{"long_name", "what the answer comes to"}, {"flag_values", values}, {"flag_meanings", meanings}};
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
         mark_attributes());
  column("number", for_every(table.answers, [](const One& a) { return a.answer.number; }),
         {{"long_name", "what stands in the table, in the column's unit"}});
  column("sentence", for_every(table.answers, [](const One& a) { return a.answer.sentence; }),
         {{"long_name", "the answer in full"}});
  column("untrained", for_every(table.answers, [](const One& a) { return static_cast<std::uint8_t>(a.untrained); }),
         {{"long_name", "1: of weights as they are drawn at initialisation"}});
  column("trained", for_every(table.answers, [](const One& a) { return a.trained; }),
         {{"long_name", "of trained weights: on what, or from where they were given"}});
  group.close();
}

}  // namespace poslab::results
