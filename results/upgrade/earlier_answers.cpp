// SPDX-License-Identifier: Apache-2.0
#include "upgrade/earlier_answers.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "h5/attribute.hpp"
#include "read/column_reader.hpp"
#include "read/stored_answers.hpp"

namespace poslab::results {
namespace {

using Answers = std::vector<data::VariantAnswer>;

// What an attribute lists; none without it.
std::set<std::string> names_in(const h5::Handle& group, const char* attribute) {
  if (!h5::has_attribute(group, attribute)) return {};
  std::istringstream names(h5::text_attribute(group, attribute));
  return {std::istream_iterator<std::string>(names), {}};
}

// Files from before numbers had columns of their own have them as texts, with a dash for none.
void take_texts(const std::vector<std::string>& texts, Answers& answers) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty() && texts[i] != data::no_answer_sign)
      answers[i].answer.numbers.push_back(data::AnswerNumber::word(texts[i]));
}

// Files from before notes had a group of their own have all of an answer in one text.
void take_trainings(const std::vector<std::string>& texts, Answers& answers) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty()) answers[i].trained.push_back(texts[i]);
}

// Nor do files say why there is no answer from before the table said where its numbers were measured.
void take_states(ColumnReader& columns, Answers& answers) {
  const auto state = columns.one_of("state", data::AnswerState::not_run);
  const auto point = columns.texts("point");
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i].state = state[i], answers[i].point = point[i];
}
void make_states(Answers& answers) {
  for (data::VariantAnswer& one : answers)
    if (one.answer.says_nothing()) one.state = data::AnswerState::nothing_to_answer;
}

// The one of most rows, of several the first that is there so often: as earlier versions showed these files.
std::string usual_point(const Answers& answers, const std::string& experiment) {
  std::map<std::string, std::size_t> rows;
  std::string usual;
  for (const data::VariantAnswer& one : answers)
    if (one.experiment == experiment && !one.point.empty() && ++rows[one.point] > (usual.empty() ? 0 : rows[usual]))
      usual = one.point;
  return usual;
}

// As this build declares it, if the stored legend is what comes of that; else with the stored legend in one piece.
data::AskedColumn asked_column(const std::string& experiment, const data::AnswerColumn& stored, const Answers& answers,
                               const DeclaredColumns& declared) {
  const std::string point = usual_point(answers, experiment);
  if (const auto known = declared.find(experiment); known != declared.end()) {
    data::AskedColumn today = data::asked_column(experiment, known->second, "");
    const bool is_same = known->second.heading == stored.heading && known->second.unit == stored.unit &&
                         data::answer_table({today}, answers).columns.front().legend_text() == stored.legend;
    today.declared.is_description = stored.is_description;
    today.point = point;
    if (is_same) return today;
  }
  return {experiment, stored, point};
}

}  // namespace

data::AnswerTable read_earlier_answers(const h5::Handle& file, const DeclaredColumns& declared) {
  if (!h5::has_link(file, "answers")) return {};
  ColumnReader columns(file, "answers");
  const auto asked = columns.texts("asked"), heading = columns.texts("heading"), unit = columns.texts("unit"),
             legend = columns.texts("legend");
  const std::set<std::string> descriptions = names_in(columns.group(), "descriptions");
  columns.begin_others();
  const auto experiment = columns.texts("experiment"), variant = columns.texts("variant"),
             number = columns.texts("number"), sentence = columns.texts("sentence");
  const auto mark = columns.one_of("mark", data::Mark::cannot_tell);
  const auto untrained = columns.numbers("untrained");
  Answers answers;
  for (std::size_t i = 0; i < experiment.size(); ++i)
    answers.push_back({variant[i], experiment[i], {mark[i], {}, sentence[i]}, untrained[i] != 0});
  const bool has_states = columns.has("state"), has_numbers = columns.has("of_answer");
  if (has_states) take_states(columns, answers);
  if (columns.has("trained")) take_trainings(columns.texts("trained"), answers);
  if (columns.has("trainings")) read_trainings(file, answers, Schemas::earlier_too);
  if (has_numbers) read_numbers(columns, answers, Schemas::earlier_too);
  if (!has_numbers) take_texts(number, answers);
  if (!has_states) make_states(answers);
  std::vector<data::AskedColumn> table;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const data::AnswerColumn stored{heading[i], unit[i], legend[i], {}, descriptions.contains(asked[i])};
    table.push_back(asked_column(asked[i], stored, answers, declared));
  }
  return data::answer_table(table, std::move(answers));
}

}  // namespace poslab::results
