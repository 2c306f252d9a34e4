// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "poslab/base/text.hpp"
#include "poslab/data/value_text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::run {
namespace {

constexpr const char* no_number = "–";

const experiments::Experiment* experiment_of(const std::string& id) {
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    if (experiment.info.id == id) return experiment.answer ? &experiment : nullptr;
  return nullptr;
}

// Cells first .. end - 1 are those of one variant by one experiment.
struct VariantCells {
  const std::vector<data::Cell>& cells;
  std::size_t first, end;

  bool begins_a_point(std::size_t index) const {
    return index == first || !(cells[index].axes == cells[index - 1].axes);
  }

  // "length = 64, dtype = float32": what tells this cell's point from the variant's others.
  std::string words_of(std::size_t index) const {
    std::vector<std::string> words;
    for (const auto& axis : cells[index].axes) {
      const std::string& name = axis.first;
      const data::Value& value = axis.second;
      const bool varies = std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(first),
                                      cells.begin() + static_cast<std::ptrdiff_t>(end), [&](const data::Cell& other) {
                                        const data::Value* there = other.axes.find(name);
                                        return !there || !(*there == value);
                                      });
      if (varies) words.push_back(fmt::format("{} = {}", name, data::to_text(value)));
    }
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }
};

struct Told {
  std::vector<std::pair<std::string, data::Answer>> points;
  std::optional<data::Outcome> without;  // the first that has no numbers
  std::string without_words;             // of its point
  bool untrained = false;
  std::string trained;  // the first note that says so
};

Told told_by(const experiments::Experiment& experiment, const VariantCells& variant, const OutcomeOf& outcome_of) {
  Told told;
  std::vector<data::Record> records;
  const auto close = [&](std::size_t last) {
    if (records.empty()) return;
    experiments::Point point{experiment.info, variant.cells[last].axes, {}};
    for (const data::Record& record : records) point.repeats.push_back(&record);
    told.points.emplace_back(variant.words_of(last), experiment.answer(point));
    records.clear();
  };
  for (std::size_t index = variant.first; index < variant.end; ++index) {
    if (variant.begins_a_point(index) && index > variant.first) close(index - 1);
    std::optional<data::Outcome> outcome = outcome_of(index);
    if (!outcome) continue;
    if (outcome->status == data::Status::ok) {
      const bool is_untrained = outcome->message == data::untrained_note;
      told.untrained = told.untrained || is_untrained;
      if (told.trained.empty() && !is_untrained) told.trained = outcome->message;
      records.push_back(std::move(outcome->record));
    } else if (!told.without) {
      told.without = std::move(outcome);
      told.without_words = variant.words_of(index);
    }
  }
  close(variant.end - 1);
  return told;
}

data::Answer answer_of(const Told& told) {
  if (!told.points.empty()) {
    data::Answer answer = joined(told.points);
    if (told.without && !told.without_words.empty())
      answer.sentence +=
          fmt::format(". At {} {}: {}", told.without_words, data::to_text(told.without->status), told.without->message);
    return answer;
  }
  if (!told.without) return {data::Mark::none, no_number, "not run"};
  const bool skipped = told.without->status == data::Status::skipped;
  return {data::Mark::none, skipped ? no_number : data::to_text(told.without->status), told.without->message};
}

}  // namespace

data::Answer joined(const std::vector<std::pair<std::string, data::Answer>>& all) {
  std::vector<std::pair<std::string, data::Answer>> points;
  for (const auto& point : all)
    if (point.second.mark != data::Mark::none || !point.second.number.empty()) points.push_back(point);
  if (points.empty()) return all.back().second;
  const auto& [last_words, last] = points.back();
  if (points.size() == 1) return last;
  std::map<data::Mark, std::vector<std::string>> where;
  for (const auto& [words, answer] : points) where[answer.mark].push_back(words);
  if (where.size() == 1)
    return {last.mark, last.number,
            fmt::format("{}: {} ({} of {} points)", last_words, last.sentence,
                        last.mark == data::Mark::none ? "the last" : "alike at each", points.size())};
  std::string sentence;
  for (const auto& [mark, words] : where)
    sentence += fmt::format("{}{} at {}", sentence.empty() ? "" : "; ", data::to_text(mark), base::enumerate(words));
  // A yes or a no beside what cannot be told is no yes in part.
  const bool unsure = where.size() == 2 && where.count(data::Mark::cannot_tell) > 0;
  return {unsure ? data::Mark::cannot_tell : data::Mark::partly, last.number,
          fmt::format("{}. {}: {}", sentence, last_words, last.sentence)};
}

data::AnswerTable answer_table(const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of) {
  data::AnswerTable table;
  for (std::size_t first = 0, end = 0; first < cells.size(); first = end) {
    const data::Cell& cell = cells[first];
    const auto is_another = [&](const data::Cell& other) {
      return other.experiment != cell.experiment || other.variant.label != cell.variant.label;
    };
    end = first + 1;
    while (end < cells.size() && !is_another(cells[end])) ++end;
    const experiments::Experiment* experiment = experiment_of(cell.experiment);
    if (!experiment) continue;
    if (table.columns.empty() || table.columns.back().first != cell.experiment)
      table.columns.emplace_back(cell.experiment, experiment->column);
    const Told told = told_by(*experiment, {cells, first, end}, outcome_of);
    table.answers.push_back({cell.variant.label, cell.experiment, answer_of(told), told.untrained, told.trained});
  }
  return table;
}

}  // namespace poslab::run
