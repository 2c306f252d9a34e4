// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "judge/point_answers.hpp"
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
  AnswerFacts facts;
  std::vector<Pending> pending;
  bool untrained = false;
  std::vector<std::string> trained;  // every note on trained weights, once
};

std::optional<experiments::TestedAnswer> tested_by(const experiments::Experiment& experiment,
                                                   const experiments::Point& point) {
  const auto definition = experiment.at(point.axes);
  const auto* by_test = dynamic_cast<const experiments::AnswersByTest*>(definition.get());
  return by_test ? by_test->tested(point) : std::nullopt;
}

// Notes the weights of an outcome that is ok; whether they are as drawn.
bool add_weights(const data::Outcome& outcome, VariantFindings& findings) {
  const bool is_untrained = outcome.weights == data::WeightsState::untrained;
  findings.untrained = findings.untrained || is_untrained;
  std::vector<std::string>& known = findings.trained;
  if (!is_untrained && outcome.weights != data::WeightsState::none &&
      std::ranges::find(known, outcome.message) == known.end())
    known.push_back(outcome.message);
  return is_untrained;
}

VariantFindings findings_of(const experiments::Experiment& experiment, const VariantCells& variant,
                            const OutcomeOf& outcome_of) {
  VariantFindings findings;
  AnswerFacts& facts = findings.facts;
  std::vector<data::Record> records;
  bool is_untrained = false;  // the last good cell
  const auto close = [&](std::size_t last) {
    if (records.empty()) return;
    experiments::Point point{experiment.info, variant.cells[last].axes, {}, is_untrained};
    for (const data::Record& record : records) point.repeats.push_back(&record);
    auto tested = tested_by(experiment, point);
    facts.points.emplace_back(variant.words_of(last), tested ? data::Answer{} : experiment.answer(point));
    if (tested) findings.pending.push_back({facts.points.size() - 1, std::move(*tested)});
    records.clear();
  };
  bool is_counted = false;  // this point, among those that failed
  for (std::size_t index = variant.first; index < variant.end; ++index) {
    if (variant.begins_a_point(index)) {
      if (index > variant.first) close(index - 1);
      is_counted = false;
    }
    std::optional<data::Outcome> outcome = outcome_of(index);
    ++facts.cells;
    if (!outcome) {
      ++facts.not_run;
    } else if (outcome->status == data::Status::ok) {
      is_untrained = add_weights(*outcome, findings);
      records.push_back(std::move(outcome->record));
    } else {
      if (!facts.failure)
        facts.failure = AnswerFacts::Failure{outcome->status, outcome->message, variant.words_of(index), 0};
      if (!is_counted) ++facts.failure->points;
      is_counted = true;
    }
  }
  close(variant.end - 1);
  return findings;
}

// Gives the answers of a column that wait for each other.
void give_pending(std::vector<VariantFindings>& column, std::size_t family) {
  std::vector<double> chances;
  for (const VariantFindings& findings : column)
    for (const Pending& pending : findings.pending) chances.push_back(pending.answer.chance);
  const std::vector<double> rates = data::holm_error_rates(chances, family);
  auto rate = rates.begin();
  for (VariantFindings& findings : column)
    for (const Pending& pending : findings.pending)
      findings.facts.points[pending.point].second = pending.answer.at(*rate++);
}

data::VariantAnswer row_of(const data::Cell& cell, const VariantFindings& findings, const std::string& shown) {
  return {cell.variant.label, cell.experiment,          answer_of(findings.facts, shown), findings.untrained,
          findings.trained,   state_of(findings.facts), point_of(findings.facts, shown)};
}

}  // namespace

data::AnswerTable answer_table(const std::vector<data::Cell>& cells, const OutcomeOf& outcome_of,
                               const data::Families& families) {
  std::vector<data::AskedColumn> columns;
  std::vector<data::VariantAnswer> answers;
  for (std::size_t first = 0, end = 0; first < cells.size(); first = end) {
    const auto is_of_another = [&](const data::Cell& other) { return other.experiment != cells[first].experiment; };
    end = static_cast<std::size_t>(
        std::find_if(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end(), is_of_another) - cells.begin());
    const experiments::Experiment* experiment = experiment_of(cells[first].experiment);
    if (!experiment) continue;
    const std::vector<VariantCells> variants = variants_of(cells, first, end);
    std::vector<VariantFindings> findings;
    for (const VariantCells& variant : variants) findings.push_back(findings_of(*experiment, variant, outcome_of));
    const auto family = families.find(experiment->info.id);
    give_pending(findings, family == families.end() ? 0 : family->second);
    std::vector<AnswerFacts> facts;
    for (const VariantFindings& of_variant : findings) facts.push_back(of_variant.facts);
    const std::string shown = common_point(facts);
    for (std::size_t i = 0; i < variants.size(); ++i)
      answers.push_back(row_of(cells[variants[i].first], findings[i], shown));
    columns.push_back(data::asked_column(cells[first].experiment, experiment->column, shown));
  }
  return data::answer_table(columns, std::move(answers));
}

}  // namespace poslab::run
