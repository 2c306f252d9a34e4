// SPDX-License-Identifier: Apache-2.0
#include "read/stored_answers.hpp"

#include <algorithm>

#include "read/column_reader.hpp"

namespace poslab::results {
namespace {

template <class Item>
std::size_t owner_of(const Owned<Item>& owned, std::size_t owners, const ColumnReader& columns, const char* name) {
  if (owned.owner < 0 || static_cast<std::size_t>(owned.owner) >= owners)
    columns.damaged(name, static_cast<double>(owned.owner));
  return static_cast<std::size_t>(owned.owner);
}

}  // namespace

void read_numbers(ColumnReader& columns, std::vector<data::VariantAnswer>& answers, Schemas schemas) {
  columns.begin_others();
  for (OwnedNumber& number : columns.items<OwnedNumber>(number_fields, schemas)) {
    number.item.digits = std::clamp(number.item.digits, 1, 17);
    answers[owner_of(number, answers.size(), columns, "answer_index")].answer.numbers.push_back(std::move(number.item));
  }
}

void read_trainings(const h5::Handle& file, std::vector<data::VariantAnswer>& answers, Schemas schemas) {
  ColumnReader columns(file, "answers/trainings");
  for (OwnedTraining& training : columns.items<OwnedTraining>(training_fields, schemas))
    answers[owner_of(training, answers.size(), columns, "answer_index")].trained.push_back(std::move(training.item));
}

data::AnswerTable read_answers(const h5::Handle& file) {
  data::AnswerTable table;
  ColumnReader columns(file, "answers");
  table.columns = columns.items<data::TableColumn>(column_fields);
  columns.begin_others();
  table.answers = columns.items<data::VariantAnswer>(answer_fields);
  read_numbers(columns, table.answers, Schemas::today);
  read_trainings(file, table.answers, Schemas::today);
  table.rows = ColumnReader(file, "answers/rows").items<data::TableRow>(row_fields);
  table.signs = ColumnReader(file, "answers/signs").items<data::SignMeaning>(sign_fields);
  ColumnReader entries(file, "answers/legends");
  for (OwnedEntry& entry : entries.items<OwnedEntry>(legend_fields))
    table.columns[owner_of(entry, table.columns.size(), entries, "column_index")].legend.push_back(
        std::move(entry.item));
  return table;
}

std::vector<data::ExpectationResult> read_expectations(const h5::Handle& file, Schemas schemas) {
  return ColumnReader(file, "expectations").items<data::ExpectationResult>(expectation_fields, schemas);
}

}  // namespace poslab::results
