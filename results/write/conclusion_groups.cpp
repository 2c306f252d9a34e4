// SPDX-License-Identifier: Apache-2.0
#include "h5/conclusion_fields.hpp"
#include "write/groups.hpp"

namespace poslab::results {
namespace {

// The values of a field have the type of the column; whole numbers are counted in units of 1.
template <class Value>
Attributes attributes_of(const char* sentence) {
  if constexpr (std::is_enum_v<Value>)
    return flags_to(last_of<Value>, sentence);
  else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>)
    return {{"units", "1"}, {"long_name", sentence}};
  else if constexpr (std::is_same_v<Value, double>)
    return {{"long_name", sentence}, {"_FillValue", nan}};
  else
    return {{"long_name", sentence}};
}

template <class Item, class... Gets>
void write_fields(Group& group, const char* dimension, const std::string& sentence, const std::vector<Item>& items,
                  const std::tuple<Field<Gets>...>& fields) {
  const CountedColumns columns(group, dimension, items.size(), sentence);
  const auto write = [&](const auto& field) {
    using Value = std::remove_cvref_t<decltype(std::invoke(field.get, items[0]))>;
    columns.add(field.name, attributes_of<Value>(field.sentence),
                [&](std::size_t i) { return Value(std::invoke(field.get, items[i])); });
  };
  std::apply([&](const auto&... field) { (write(field), ...); }, fields);
}

// In a group inside, whose names are its own.
template <class Item, class... Gets>
void write_inside(const Group& answers, const char* name, const char* dimension, const std::string& sentence,
                  const std::vector<Item>& items, const std::tuple<Field<Gets>...>& fields) {
  Group group(answers.handle(), name);
  write_fields(group, dimension, sentence, items, fields);
  group.close();
}

// What each owner has, one below the other.
template <class Item, class Owner, class ListOf>
std::vector<Owned<Item>> owned(const std::vector<Owner>& owners, const ListOf& list_of) {
  std::vector<Owned<Item>> all;
  for (std::size_t owner = 0; owner < owners.size(); ++owner)
    for (const Item& item : list_of(owners[owner])) all.push_back({static_cast<std::int64_t>(owner), item});
  return all;
}

}  // namespace

void write_answers(const h5::Handle& file, const data::AnswerTable& table) {
  using One = data::VariantAnswer;
  Group group(file, "answers");
  write_fields(group, "column", "number of the column, in the study's order", table.columns, column_fields);
  write_fields(group, "answer", "number of the answer, in plan order", table.answers, answer_fields);
  write_fields(group, "answer_number", "number of the number, in the order of the answers",
               owned<data::AnswerNumber>(table.answers, [](const One& one) { return one.answer.numbers; }),
               number_fields);
  write_inside(group, "trainings", "training", "number of the note, in the order of the answers",
               owned<std::string>(table.answers, [](const One& one) { return one.trained; }), training_fields);
  write_inside(group, "rows", "row", "number of the row, in the study's order", table.rows, row_fields);
  write_inside(group, "legends", "entry", "number of the entry, in the order of the columns",
               owned<data::LegendEntry>(table.columns, [](const data::TableColumn& column) { return column.legend; }),
               legend_fields);
  write_inside(group, "signs", "sign_entry", "number of the entry, in the order of printing", table.signs, sign_fields);
  group.close();
}

void write_expectations(const h5::Handle& file, const std::vector<data::ExpectationResult>& results) {
  Group group(file, "expectations");
  if (!results.empty()) group.attribute("counts", data::counts_text(results));
  write_fields(group, "expectation", "number of the expectation, in the study's order", results, expectation_fields);
  group.close();
}

}  // namespace poslab::results
