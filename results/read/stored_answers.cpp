// SPDX-License-Identifier: Apache-2.0
#include "read/stored_answers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>
#include <sstream>

#include "h5/attribute.hpp"
#include "h5/bounds.hpp"
#include "read/results_file.hpp"

namespace poslab::results {
namespace {

// Columns of one group, of one length.
class Columns {
 public:
  Columns(const h5::Handle& file, const char* group) : group_(h5::open_group(file, group)) {}
  std::vector<std::string> texts(const char* name) { return checked(results::texts(group_, name), name); }
  std::vector<double> numbers(const char* name) { return checked(results::numbers(group_, name), name); }
  // One of the enumerators 0 .. last.
  template <class Enum>
  std::vector<Enum> one_of(const char* name, Enum last) {
    std::vector<Enum> all;
    for (const double x : numbers(name)) {
      if (!(x >= 0 && x <= static_cast<double>(last))) damaged(name, x);
      all.push_back(static_cast<Enum>(x));
    }
    return all;
  }
  bool has(const char* name) const { return h5::has_link(group_, name); }
  // What an attribute lists; none without it.
  std::set<std::string> names_in(const char* attribute) const {
    if (!h5::has_attribute(group_, attribute)) return {};
    std::istringstream names(h5::text_attribute(group_, attribute));
    return {std::istream_iterator<std::string>(names), {}};
  }
  [[noreturn]] void damaged(const char* name, double x) const {
    h5::damaged(group_, fmt::format("has a {} that is {}", name, x));
  }
  void begin_others() { size_ = unknown; }

 private:
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  template <class Items>
  Items checked(Items items, const char* name) {
    if (size_ == unknown) size_ = items.size();
    if (items.size() != size_) h5::damaged(group_, fmt::format("has a {} of another length", name));
    return items;
  }
  h5::Handle group_;
  std::size_t size_ = unknown;
};

// Files from before numbers had columns of their own have them as texts, with a dash for none.
void take_texts(const std::vector<std::string>& texts, data::AnswerTable& table) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty() && texts[i] != "–")
      table.answers[i].answer.numbers.push_back(data::AnswerNumber::word(texts[i]));
}

// States for files that do not say why there is no answer.
std::vector<data::AnswerState> states_of(const std::vector<data::VariantAnswer>& answers) {
  std::vector<data::AnswerState> states;
  for (const data::VariantAnswer& one : answers)
    states.push_back(one.answer.says_nothing() ? data::AnswerState::nothing_to_answer : data::AnswerState::answered);
  return states;
}

int digits_of(double stored) { return stored >= 1 && stored <= 17 ? static_cast<int>(stored) : 3; }

data::VariantAnswer& owner_of(const Columns& columns, double number, data::AnswerTable& table) {
  if (!(number >= 0 && number < static_cast<double>(table.answers.size()))) columns.damaged("of_answer", number);
  return table.answers[static_cast<std::size_t>(number)];
}

void read_numbers(const h5::Handle& file, data::AnswerTable& table) {
  Columns columns(file, "answers");
  const auto owner = columns.numbers("of_answer"), value = columns.numbers("value"), error = columns.numbers("error"),
             low = columns.numbers("low"), high = columns.numbers("high"), digits = columns.numbers("digits");
  const auto relation = columns.one_of("relation", data::Relation::above);
  const auto before = columns.texts("before"), after = columns.texts("after");
  for (std::size_t i = 0; i < owner.size(); ++i) {
    owner_of(columns, owner[i], table)
        .answer.numbers.push_back(
            {value[i], error[i], low[i], high[i], relation[i], digits_of(digits[i]), before[i], after[i]});
  }
}

void read_trainings(const h5::Handle& file, data::AnswerTable& table) {
  Columns columns(file, "answers/trainings");
  const auto owner = columns.numbers("of_answer");
  const auto notes = columns.texts("note");
  for (std::size_t i = 0; i < owner.size(); ++i) owner_of(columns, owner[i], table).trained.push_back(notes[i]);
}

// Files from before notes had a group of their own have all of an answer in one text.
void take_trainings(const std::vector<std::string>& texts, data::AnswerTable& table) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty()) table.answers[i].trained.push_back(texts[i]);
}

}  // namespace

data::AnswerTable read_answers(const h5::Handle& file) {
  data::AnswerTable table;
  if (!h5::has_link(file, "answers")) return table;
  Columns columns(file, "answers");
  const auto asked = columns.texts("asked"), heading = columns.texts("heading"), unit = columns.texts("unit"),
             legend = columns.texts("legend");
  const std::set<std::string> descriptions = columns.names_in("descriptions");
  for (std::size_t i = 0; i < asked.size(); ++i)
    table.columns.push_back({asked[i], {heading[i], unit[i], legend[i], {}, descriptions.contains(asked[i])}});
  columns.begin_others();
  const auto experiment = columns.texts("experiment"), variant = columns.texts("variant"),
             number = columns.texts("number"), sentence = columns.texts("sentence");
  const auto mark = columns.one_of("mark", data::Mark::cannot_tell);
  const auto untrained = columns.numbers("untrained");
  // Nor files from before the table said where its numbers were measured.
  const bool has_states = columns.has("state");
  const auto point = has_states ? columns.texts("point") : std::vector<std::string>(experiment.size());
  for (std::size_t i = 0; i < experiment.size(); ++i)
    table.answers.push_back({variant[i], experiment[i], {mark[i], {}, sentence[i]}, untrained[i] != 0});
  if (columns.has("of_answer"))
    read_numbers(file, table);
  else
    take_texts(number, table);
  if (columns.has("trainings"))
    read_trainings(file, table);
  else if (columns.has("trained"))
    take_trainings(columns.texts("trained"), table);
  const auto state = has_states ? columns.one_of("state", data::AnswerState::not_run) : states_of(table.answers);
  for (std::size_t i = 0; i < table.answers.size(); ++i)
    table.answers[i].state = state[i], table.answers[i].point = point[i];
  return table;
}

std::vector<data::ExpectationResult> read_expectations(const h5::Handle& file) {
  Columns columns(file, "expectations");
  const auto experiment = columns.texts("experiment"), measure = columns.texts("measure"),
             where = columns.texts("where"), message = columns.texts("message"), source = columns.texts("source");
  const auto value = columns.numbers("value"), tolerance = columns.numbers("tolerance"),
             measured = columns.numbers("measured");
  const auto verdict = columns.one_of("verdict", data::Verdict::not_measured);
  // Files from before there were bounds and differences do not have these.
  const std::size_t count = experiment.size();
  const bool extended = columns.has("gate");
  const auto gate = extended ? columns.one_of("gate", data::Gate::at_most) : std::vector<data::Gate>(count);
  const auto repeats =
      extended ? columns.one_of("repeats", data::OverRepeats::mean) : std::vector<data::OverRepeats>(count);
  const auto minus = extended ? columns.texts("minus") : std::vector<std::string>(count, "{}");
  const auto error = extended ? columns.numbers("error") : std::vector<double>(count, std::nan(""));
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
