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

using Points = std::vector<std::pair<std::string, data::Answer>>;

struct Told {
  Points points;
  std::optional<data::Outcome> without;  // the first that has no numbers
  std::string without_words;             // of its point
  std::size_t without_points = 0;        // at which one has none
  bool untrained = false;
  std::string trained;  // the first note that says so
};

Told told_by(const experiments::Experiment& experiment, const VariantCells& variant, const OutcomeOf& outcome_of) {
  Told told;
  std::vector<data::Record> records;
  bool is_untrained = false;  // the last good cell
  const auto close = [&](std::size_t last) {
    if (records.empty()) return;
    experiments::Point point{experiment.info, variant.cells[last].axes, {}, is_untrained};
    for (const data::Record& record : records) point.repeats.push_back(&record);
    told.points.emplace_back(variant.words_of(last), experiment.answer(point));
    records.clear();
  };
  bool is_counted = false;  // this point, among those without
  for (std::size_t index = variant.first; index < variant.end; ++index) {
    if (variant.begins_a_point(index)) {
      if (index > variant.first) close(index - 1);
      is_counted = false;
    }
    std::optional<data::Outcome> outcome = outcome_of(index);
    if (!outcome) continue;
    if (outcome->status == data::Status::ok) {
      is_untrained = outcome->message == data::untrained_note;
      told.untrained = told.untrained || is_untrained;
      if (told.trained.empty() && !is_untrained) told.trained = outcome->message;
      records.push_back(std::move(outcome->record));
    } else {
      if (!told.without) told.without_words = variant.words_of(index), told.without = std::move(outcome);
      if (!is_counted) ++told.without_points;
      is_counted = true;
    }
  }
  close(variant.end - 1);
  return told;
}

// Of points that all have a mark or a number.
data::Answer of_answered(const Points& points) {
  const auto& [last_words, last] = points.back();
  if (points.size() == 1) return last;
  std::map<data::Mark, std::vector<std::string>> where;
  for (const auto& [words, answer] : points) where[answer.mark].push_back(words);
  if (where.size() == 1)
    return {last.mark, last.numbers,
            fmt::format("{}: {} ({} of {} points)", last_words, last.sentence,
                        last.mark == data::Mark::none ? "the last" : "alike at each", points.size())};
  std::string sentence;
  for (const auto& [mark, words] : where)
    sentence += fmt::format("{}{} at {}", sentence.empty() ? "" : "; ", data::to_text(mark), base::enumerate(words));
  // A yes or a no beside what cannot be told is no yes in part.
  const bool unsure = where.size() == 2 && where.count(data::Mark::cannot_tell) > 0;
  return {unsure ? data::Mark::cannot_tell : data::Mark::partly, last.numbers,
          fmt::format("{}. {}: {}", sentence, last_words, last.sentence)};
}

// Which of `all` points have no answer, with the first one's reason.
std::string silence(const Points& silent, std::size_t all) {
  std::vector<std::string> words;
  for (const auto& point : silent) words.push_back(point.first);
  return fmt::format(". No answer at {} ({} of {} measured points): {}", base::enumerate(words), silent.size(), all,
                     silent.front().second.sentence);
}

data::Answer answer_of(const Told& told) {
  if (!told.points.empty()) {
    data::Answer answer = joined(told.points);
    if (!told.without || told.without_words.empty()) return answer;
    const std::string more = told.without_points > 1 ? fmt::format(", and at {} more,", told.without_points - 1) : "";
    answer.sentence += fmt::format(". At {}{} {}: {}", told.without_words, more, data::to_text(told.without->status),
                                   told.without->message);
    return answer;
  }
  if (!told.without) return {data::Mark::none, {}, "not run"};
  if (told.without->status == data::Status::skipped) return {data::Mark::none, {}, told.without->message};
  return {data::Mark::none, {data::AnswerNumber::word(data::to_text(told.without->status))}, told.without->message};
}

}  // namespace

data::Answer joined(const std::vector<std::pair<std::string, data::Answer>>& all) {
  Points points, silent;
  for (const auto& point : all)
    (point.second.says_nothing() ? silent : points).push_back(point);
  if (points.empty()) return all.back().second;
  data::Answer answer = of_answered(points);
  if (silent.empty()) return answer;
  if (points.size() == 1) answer.sentence = fmt::format("{}: {}", points.front().first, answer.sentence);
  answer.sentence += silence(silent, all.size());
  return answer;
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
