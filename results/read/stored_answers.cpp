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

void read_numbers(ColumnReader& columns, std::vector<data::VariantAnswer>& answers) {
  columns.begin_others();
  for (OwnedNumber& number : columns.items<OwnedNumber>(number_fields)) {
    number.item.digits = std::clamp(number.item.digits, 1, 17);
    answers[owner_of(number, answers.size(), columns, "of_answer")].answer.numbers.push_back(std::move(number.item));
  }
}

void read_trainings(const h5::Handle& file, std::vector<data::VariantAnswer>& answers) {
  ColumnReader columns(file, "answers/trainings");
  for (OwnedTraining& training : columns.items<OwnedTraining>(training_fields))
    answers[owner_of(training, answers.size(), columns, "of_answer")].trained.push_back(std::move(training.item));
}

data::AnswerTable read_answers(const h5::Handle& file) {
  data::AnswerTable table;
  ColumnReader columns(file, "answers");
  table.columns = columns.items<data::TableColumn>(column_fields);
  columns.begin_others();
  table.answers = columns.items<data::VariantAnswer>(answer_fields);
  read_numbers(columns, table.answers);
  read_trainings(file, table.answers);
  table.rows = ColumnReader(file, "answers/rows").items<data::TableRow>(row_fields);
  table.signs = ColumnReader(file, "answers/signs").items<data::SignMeaning>(sign_fields);
  ColumnReader entries(file, "answers/legends");
  for (OwnedEntry& entry : entries.items<OwnedEntry>(legend_fields))
    table.columns[owner_of(entry, table.columns.size(), entries, "of_column")].legend.push_back(std::move(entry.item));
  return table;
}

std::vector<data::ExpectationResult> read_expectations(const h5::Handle& file) {
  ColumnReader columns(file, "expectations");
  const auto experiment = columns.texts("experiment"), measure = columns.texts("measure"),
             where = columns.texts("where"), message = columns.texts("message"), source = columns.texts("source"),
             minus = columns.texts("minus");
  const auto value = columns.numbers("value"), tolerance = columns.numbers("tolerance"),
             measured = columns.numbers("measured"), error = columns.numbers("error");
  const auto verdict = columns.one_of("verdict", data::Verdict::not_measured);
  const auto gate = columns.one_of("gate", data::Gate::at_most);
  const auto repeats = columns.one_of("repeats", data::OverRepeats::mean);
  std::vector<data::ExpectationResult> results;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    data::ExpectationResult result;
    result.expectation = {experiment[i], measure[i], {}, value[i], tolerance[i], source[i]};
    if (where[i] != "{}") result.expectation.where.set("where", where[i]);
    if (minus[i] != "{}") result.expectation.minus.set("where", minus[i]);
    result.expectation.gate = gate[i], result.expectation.repeats = repeats[i];
    result.measured = measured[i], result.error = error[i];
    result.verdict = verdict[i];
    result.message = message[i];
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace poslab::results
