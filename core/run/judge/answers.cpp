// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/holm.hpp"
#include "poslab/data/value.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/tested_answer.hpp"

namespace poslab::run {
namespace {

const experiments::Experiment* experiment_of(const std::string& id) {
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    if (experiment.info.id == id) return experiment.answers ? &experiment : nullptr;
  return nullptr;
}

using Cells = std::span<const data::Cell>;

// What tells the points of an experiment from each other.
std::vector<std::string> varying_axes(Cells cells) {
  std::vector<std::string> names;
  for (const auto& axis : cells.front().axes) {
    const bool varies = std::any_of(cells.begin(), cells.end(), [&](const data::Cell& other) {
      const data::Value* there = other.axes.find(axis.first);
      return !there || !(*there == axis.second);
    });
    if (varies) names.push_back(axis.first);
  }
  return names;
}

// Cells first .. end - 1 are those of one variant by one experiment.
struct VariantCells {
  const std::vector<data::Cell>& cells;
  std::size_t first, end;
  std::vector<std::string> varying;

  bool begins_a_point(std::size_t index) const {
    return index == first || !(cells[index].axes == cells[index - 1].axes);
  }
  // "length = 64, dtype = float32"
  std::string words_of(std::size_t index) const {
    std::string text;
    for (const std::string& name : varying)
      if (const data::Value* value = cells[index].axes.find(name))
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, data::to_text(*value));
    return text;
  }
};

// The variants of cells first .. end - 1, which are of one experiment.
std::vector<VariantCells> variants_of(const std::vector<data::Cell>& cells, std::size_t first, std::size_t end) {
  const std::vector<std::string> varying = varying_axes(Cells(cells).subspan(first, end - first));
  std::vector<VariantCells> variants;
  for (std::size_t index = first; index < end; ++index) {
    const bool begins = index == first || cells[index].variant.label != cells[index - 1].variant.label;
    if (begins) variants.push_back({cells, index, index, varying});
    variants.back().end = index + 1;
  }
  return variants;
}

// An answer of `points` that is not given yet.
struct Pending {
  std::size_t point;
  experiments::TestedAnswer answer;
};

struct VariantFindings {
  PointAnswers points;
  std::vector<Pending> pending;
  std::optional<data::Outcome> without;  // the first that has no numbers
  std::string without_words;             // of its point
  std::size_t without_points = 0;        // at which one has none
  std::size_t cells = 0, not_run = 0;    // all of them, and those of which the run had not come to an end
  bool untrained = false;
  std::vector<std::string> trained;  // every note on trained weights, once
};

std::optional<experiments::TestedAnswer> tested_by(const experiments::Experiment& experiment,
                                                   const experiments::Point& point) {
  const auto definition = experiment.at(point.axes);
  const auto* by_test = dynamic_cast<const experiments::AnswersByTest*>(definition.get());
  return by_test ? by_test->tested(point) : std::nullopt;
}

VariantFindings findings_of(const experiments::Experiment& experiment, const VariantCells& variant,
                            const OutcomeOf& outcome_of) {
  VariantFindings findings;
  std::vector<data::Record> records;
  bool is_untrained = false;  // the last good cell
  const auto close = [&](std::size_t last) {
    if (records.empty()) return;
    experiments::Point point{experiment.info, variant.cells[last].axes, {}, is_untrained};
    for (const data::Record& record : records) point.repeats.push_back(&record);
    auto tested = tested_by(experiment, point);
    findings.points.emplace_back(variant.words_of(last), tested ? data::Answer{} : experiment.answer(point));
    if (tested) findings.pending.push_back({findings.points.size() - 1, std::move(*tested)});
    records.clear();
  };
  bool is_counted = false;  // this point, among those without
  for (std::size_t index = variant.first; index < variant.end; ++index) {
    if (variant.begins_a_point(index)) {
      if (index > variant.first) close(index - 1);
      is_counted = false;
    }
    std::optional<data::Outcome> outcome = outcome_of(index);
    ++findings.cells;
    if (!outcome) {
      ++findings.not_run;
      continue;
    }
    if (outcome->status == data::Status::ok) {
      is_untrained = outcome->weights == data::WeightsState::untrained;
      findings.untrained = findings.untrained || is_untrained;
      if (const std::string& note = outcome->message;
          !is_untrained && outcome->weights != data::WeightsState::none &&
          std::find(findings.trained.begin(), findings.trained.end(), note) == findings.trained.end())
        findings.trained.push_back(note);
      records.push_back(std::move(outcome->record));
    } else {
      if (!findings.without) findings.without_words = variant.words_of(index), findings.without = std::move(outcome);
      if (!is_counted) ++findings.without_points;
      is_counted = true;
    }
  }
  close(variant.end - 1);
  return findings;
}

struct Parted {
  PointAnswers with, without;  // an answer
};

// What has no mark and no number is none, nor is what networks could not be asked that learnt nothing, where others
// are.
Parted parted(const PointAnswers& all) {
  const auto says = [](const auto& point) { return !point.second.says_nothing(); };
  const bool any_taught =
      std::any_of(all.begin(), all.end(), [&](const auto& point) { return says(point) && !point.second.is_untaught; });
  Parted parts;
  std::partition_copy(all.begin(), all.end(), std::back_inserter(parts.with), std::back_inserter(parts.without),
                      [&](const auto& point) { return says(point) && !(any_taught && point.second.is_untaught); });
  return parts;
}
PointAnswers with_answer(const PointAnswers& all) { return parted(all).with; }

// The point that is shown, among points that all have a mark or a number.
const std::pair<std::string, data::Answer>& point_of(const PointAnswers& points, const std::string& shown) {
  const auto found =
      std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.first == shown; });
  return found == points.end() ? points.back() : *found;
}

data::Answer of_answered(const PointAnswers& points, const std::string& shown) {
  const auto& [words, answer] = point_of(points, shown);
  if (points.size() == 1) return answer;
  std::map<data::Mark, std::vector<std::string>> where;
  for (const auto& [there, one] : points) where[one.mark].push_back(there);
  if (where.size() == 1)
    return {answer.mark, answer.numbers,
            fmt::format("{}: {} ({} of {} points)", words, answer.sentence,
                        answer.mark == data::Mark::none ? "one" : "alike at each", points.size())};
  std::string sentence;
  for (const auto& [mark, there] : where)
    sentence += fmt::format("{}{} at {}", sentence.empty() ? "" : "; ", data::to_text(mark), base::enumerate(there));
  // A yes or a no beside what cannot be told is no yes in part.
  const bool unsure = where.size() == 2 && where.count(data::Mark::cannot_tell) > 0;
  return {unsure ? data::Mark::cannot_tell : data::Mark::partly, answer.numbers,
          fmt::format("{}. {}: {}", sentence, words, answer.sentence)};
}

// Which of `all` points have no answer, with the first one's reason.
std::string unanswered_text(const PointAnswers& unanswered, std::size_t all) {
  std::vector<std::string> words;
  for (const auto& point : unanswered) words.push_back(point.first);
  return fmt::format(". No answer at {} ({} of {} measured points): {}", base::enumerate(words), unanswered.size(), all,
                     unanswered.front().second.sentence);
}

std::string not_run_text(const VariantFindings& findings) {
  return fmt::format("not run: {} of {}", findings.not_run, base::counted(findings.cells, "cell"));
}

// What is skipped is known before anything runs, and says nothing of the cells that were to run.
bool is_not_run(const VariantFindings& findings) {
  return findings.points.empty() && findings.not_run > 0 &&
         (!findings.without || findings.without->status == data::Status::skipped);
}

data::Answer answer_of(const VariantFindings& findings, const std::string& shown) {
  if (!findings.points.empty()) {
    data::Answer answer = joined(findings.points, shown);
    if (findings.without && !findings.without_words.empty()) {
      const std::string more =
          findings.without_points > 1 ? fmt::format(", and at {} more,", findings.without_points - 1) : "";
      answer.sentence += fmt::format(". At {}{} {}: {}", findings.without_words, more,
                                     data::to_text(findings.without->status), findings.without->message);
    }
    if (findings.not_run > 0) answer.sentence += "; " + not_run_text(findings);
    return answer;
  }
  if (is_not_run(findings)) return {data::Mark::none, {}, not_run_text(findings)};
  if (findings.without->status == data::Status::skipped) return {data::Mark::none, {}, findings.without->message};
  return {
      data::Mark::none, {data::AnswerNumber::word(data::to_text(findings.without->status))}, findings.without->message};
}

data::AnswerState state_of(const VariantFindings& findings) {
  if (!with_answer(findings.points).empty()) return data::AnswerState::answered;
  if (!findings.points.empty()) return data::AnswerState::nothing_to_answer;
  if (is_not_run(findings)) return data::AnswerState::not_run;
  return findings.without->status == data::Status::skipped ? data::AnswerState::skipped : data::AnswerState::failed;
}

// Gives the answers of a column that wait for each other.
void give_pending(std::vector<VariantFindings>& column, std::size_t family) {
  std::vector<double> chances;
  for (const VariantFindings& findings : column)
    for (const Pending& pending : findings.pending) chances.push_back(pending.answer.chance);
  const std::vector<double> rates = data::holm_error_rates(chances, family);
  auto rate = rates.begin();
  for (VariantFindings& findings : column)
    for (const Pending& pending : findings.pending) findings.points[pending.point].second = pending.answer.at(*rate++);
}

// In place of a number, where a cell has none.
std::vector<data::AnswerWord> failure_words() {
  return {{data::to_text(data::Status::failed), "a cell ended in an error"},
          {data::to_text(data::Status::crashed), "a cell ended its process"},
          {data::to_text(data::Status::timeout), "a cell took longer than it may"}};
}

// As it stands in a table: with the words that its answers print.
data::AnswerColumn column_for(data::AnswerColumn column, std::span<const data::VariantAnswer> answers) {
  std::set<std::string> used{column.unit};  // stands below the heading, whatever the answers are
  for (const data::VariantAnswer& one : answers) used.merge(data::words_of(one.answer, column.unit));
  for (data::AnswerWord& word : failure_words()) column.words.push_back(std::move(word));
  column.legend = data::legend_with(column, used);
  column.words.clear();
  return column;
}

data::VariantAnswer row_of(const data::Cell& cell, const VariantFindings& findings, const std::string& shown) {
  const PointAnswers points = with_answer(findings.points);
  return {cell.variant.label,
          cell.experiment,
          answer_of(findings, shown),
          findings.untrained,
          findings.trained,
          state_of(findings),
          points.empty() ? "" : point_of(points, shown).first};
}

}  // namespace

data::Answer joined(const PointAnswers& all, const std::string& shown) {
  const auto [points, unanswered] = parted(all);
  if (points.empty()) return all.back().second;
  data::Answer answer = of_answered(points, shown);
  if (unanswered.empty()) return answer;
  if (points.size() == 1) answer.sentence = fmt::format("{}: {}", points.front().first, answer.sentence);
  answer.sentence += unanswered_text(unanswered, all.size());
  return answer;
}

std::string common_point(const std::vector<PointAnswers>& variants) {
  struct Seen {
    std::string words;
    std::set<data::Mark> marks;
    std::set<std::string> numbers;
    std::size_t rows = 0;  // in which it says something
    // What makes it the one to show: of the most rows, and of those one at which they differ.
    std::tuple<std::size_t, bool, bool> rank() const { return {rows, marks.size() > 1, numbers.size() > 1}; }
  };
  std::vector<Seen> points;
  for (const PointAnswers& variant : variants)
    for (const auto& [words, answer] : with_answer(variant)) {
      auto known = std::ranges::find(points, words, &Seen::words);
      if (known == points.end()) known = points.insert(points.end(), {.words = words, .marks = {}, .numbers = {}});
      ++known->rows;
      known->marks.insert(answer.mark);
      known->numbers.insert(data::numbers_text(answer));
    }
  const Seen* shown = nullptr;
  for (const Seen& point : points)
    if (!shown || point.rank() >= shown->rank()) shown = &point;
  return shown ? shown->words : "";
}

data::AnswerTable answer_table(const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of,
                               const data::Families& families) {
  data::AnswerTable table;
  for (std::size_t first = 0, end = 0; first < cells.size(); first = end) {
    const auto is_of_another = [&](const data::Cell& other) { return other.experiment != cells[first].experiment; };
    end = static_cast<std::size_t>(
        std::find_if(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end(), is_of_another) - cells.begin());
    const experiments::Experiment* experiment = experiment_of(cells[first].experiment);
    if (!experiment) continue;
    const std::vector<VariantCells> variants = variants_of(cells, first, end);
    std::vector<VariantFindings> findings;
    std::vector<PointAnswers> points;
    for (const VariantCells& variant : variants) findings.push_back(findings_of(*experiment, variant, outcome_of));
    const auto family = families.find(experiment->info.id);
    give_pending(findings, family == families.end() ? 0 : family->second);
    for (const VariantFindings& of_variant : findings) points.push_back(of_variant.points);
    const std::string shown = common_point(points);
    for (std::size_t i = 0; i < variants.size(); ++i)
      table.answers.push_back(row_of(cells[variants[i].first], findings[i], shown));
    table.columns.emplace_back(cells[first].experiment,
                               column_for(experiment->column, std::span(table.answers).last(variants.size())));
  }
  return table;
}

}  // namespace poslab::run
