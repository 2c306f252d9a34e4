// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "poslab/app/text/text_table.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t most_lines = 20;  // about a screen; beyond, each variant shows its last point only

// One row of the table: a variant at one point of the outer axes, with all its repeats.
struct Line {
  const data::Cell* cell;
  std::vector<const run::OutcomeSummary*> outcomes;
  bool measured() const {
    return std::any_of(outcomes.begin(), outcomes.end(), [](const auto* o) { return o->status == data::Status::ok; });
  }
};

std::vector<Line> lines_of(const std::vector<data::Cell>& cells, const run::OutcomeSummaries& outcomes,
                           const std::string& experiment) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const data::Cell& cell = cells[i];
    if (cell.experiment != experiment || !outcomes[i]) continue;
    const bool another_repeat = !lines.empty() && lines.back().cell->variant.label == cell.variant.label &&
                                lines.back().cell->axes == cell.axes;
    if (!another_repeat) lines.push_back({&cell, {}});
    lines.back().outcomes.push_back(&*outcomes[i]);
  }
  return lines;
}

// Where there are too many rows, each variant is shown at its last measured point.
std::vector<Line> shortened(const std::vector<Line>& lines) {
  if (lines.size() <= most_lines) return lines;
  std::vector<Line> shown;
  std::map<std::string, std::size_t> index;
  for (const Line& line : lines) {
    const auto [entry, is_first] = index.emplace(line.cell->variant.label, shown.size());
    if (is_first) {
      shown.push_back(line);
    } else if (line.measured()) {
      shown[entry->second] = line;
    }
  }
  return shown;
}

// A scalar, or a curve over one inner axis at its last coordinate; curves over positions are not shown.
bool is_shown(const data::MeasureInfo& measure, const data::ExperimentInfo& info) {
  if (measure.dimensions.empty()) return true;
  const data::AxisInfo* axis = measure.dimensions.size() == 1 ? info.axis(measure.dimensions.front()) : nullptr;
  return axis && axis->inner;
}

std::string heading(const data::MeasureInfo& measure, const std::vector<Line>& lines) {
  if (measure.dimensions.empty()) return measure.name;
  const std::string& dimension = measure.dimensions.front();
  for (const Line& line : lines)
    if (const data::Value* list = line.cell->axes.find(dimension))
      if (const auto* values = std::get_if<std::vector<double>>(list); values && !values->empty())
        return fmt::format("{} @{}={}", measure.name, dimension, base::shortest(values->back()));
  return measure.name;
}

std::string number_text(double x) {
  if (std::isnan(x)) return "-";
  return x == std::floor(x) && std::abs(x) < 1e9 ? fmt::format("{:.0f}", x) : fmt::format("{:.4g}", x);
}

// `measure` by its index among those of the experiment.
std::string mean_and_error(const Line& line, std::size_t measure) {
  std::vector<double> values;
  for (const run::OutcomeSummary* outcome : line.outcomes)
    if (outcome->status == data::Status::ok && !std::isnan(outcome->last.at(measure)))
      values.push_back(outcome->last[measure]);
  if (values.empty()) return "-";
  const bool all_equal =
      std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
  if (all_equal) return number_text(values.front());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return fmt::format("{} ± {:.1g}", number_text(mean), std::sqrt(squares / (count - 1) / count));
}

// Names of outer axes that take more than one value in these rows: only they get a column.
std::vector<std::string> varying_axes(const std::vector<Line>& lines) {
  std::vector<std::string> names;
  for (const Line& line : lines)
    for (const auto& [name, value] : line.cell->axes) {
      const data::Value* first = lines.front().cell->axes.find(name);
      const bool differs = !first || !(*first == value);
      if (differs && !std::holds_alternative<std::vector<double>>(value) &&
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  return names;
}

std::string common_point(const Line& line, const std::vector<std::string>& varying) {
  std::string text;
  for (const auto& [name, value] : line.cell->axes)
    if (!std::holds_alternative<std::vector<double>>(value) &&
        std::find(varying.begin(), varying.end(), name) == varying.end())
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, data::to_text(value));
  return text;
}

// By their index among those of the experiment: what is shown, and has a value somewhere.
std::vector<std::size_t> shown_measures(const data::ExperimentInfo& info, const std::vector<Line>& lines) {
  std::vector<std::size_t> measures;
  for (std::size_t measure = 0; measure < info.measures.size(); ++measure)
    if (is_shown(info.measures[measure], info) &&
        std::any_of(lines.begin(), lines.end(), [&](const Line& line) { return mean_and_error(line, measure) != "-"; }))
      measures.push_back(measure);
  return measures;
}

bool is_untrained(const Line& line) { return line.outcomes.front()->message == "untrained weights"; }

std::vector<std::string> row_of(const Line& line, const std::vector<std::string>& axes,
                                const std::vector<std::size_t>& measures) {
  std::vector<std::string> row{line.cell->variant.label + (is_untrained(line) ? " *" : "")};
  for (const std::string& name : axes)
    row.push_back(line.cell->axes.contains(name) ? data::to_text(line.cell->axes.at(name)) : "");
  for (const std::size_t measure : measures) row.push_back(mean_and_error(line, measure));
  return row;
}

// What the table leaves out: what its star means, and which schemes were not measured, and why.
std::string notes(const std::vector<Line>& lines) {
  bool untrained = false;
  std::map<std::string, std::vector<std::string>> not_measured;  // labels by reason
  for (const Line& line : lines) {
    if (line.measured()) {
      untrained = untrained || is_untrained(line);
      continue;
    }
    std::vector<std::string>& labels = not_measured[line.outcomes.front()->message];
    if (labels.empty() || labels.back() != line.cell->variant.label) labels.push_back(line.cell->variant.label);
  }
  std::string text = untrained ? "  * untrained weights, as drawn at initialisation\n" : "";
  for (const auto& [reason, labels] : not_measured)
    text += base::printable(fmt::format("  {}: {}", base::enumerate(labels), reason)) + "\n";
  return text;
}

std::string experiment_table(const data::ExperimentInfo& info, const std::vector<Line>& all, std::size_t width) {
  const std::vector<Line> lines = shortened(all);
  const std::vector<std::size_t> measures = shown_measures(info, lines);
  const std::vector<std::string> varying = varying_axes(lines);
  std::vector<std::vector<std::string>> rows{{"scheme"}};
  for (const std::string& name : varying) rows.front().push_back(name);
  for (const std::size_t measure : measures) rows.front().push_back(heading(info.measures[measure], lines));
  for (const Line& line : lines)
    if (line.measured()) rows.push_back(row_of(line, varying, measures));
  std::string title = fmt::format("\n{}\n", base::printable(info.id + ": " + info.title));
  if (!lines.empty())
    title += fmt::format("  {}{}\n", base::printable(common_point(lines.front(), varying)),
                         lines.size() < all.size()
                             ? fmt::format(" (the last of each scheme's points; the file has all {})", all.size())
                             : "");
  return title + (rows.size() > 1 ? text_table(rows, 1 + varying.size(), width) : "") + notes(lines);
}

std::string expectations_text(const std::vector<data::ExpectationResult>& expectations) {
  if (expectations.empty()) return "";
  std::string text = "\nexpectations\n";
  for (const data::ExpectationResult& result : expectations) {
    const char* mark = result.verdict == data::Verdict::holds   ? "✓"
                       : result.verdict == data::Verdict::fails ? "✗"
                                                                : "?";
    std::string where;
    for (const auto& [name, value] : result.expectation.where)
      where += fmt::format(" {}={}", name, data::to_text(value));
    std::string line = fmt::format(
        "  {} {} {}{}: {}", mark, result.expectation.experiment, result.expectation.measure, where,
        result.verdict == data::Verdict::holds
            ? fmt::format("{} (expected {} ± {})", base::shortest(result.measured),
                          base::shortest(result.expectation.value), base::shortest(result.expectation.tolerance))
            : result.message);
    if (!result.expectation.source.empty()) line += fmt::format(" [{}]", result.expectation.source);
    text += base::printable(line) + "\n";
  }
  return text;
}

}  // namespace

std::string summary(const std::vector<data::Cell>& cells, const data::Catalogue& catalogue,
                    const run::OutcomeSummaries& outcomes, const std::vector<data::ExpectationResult>& expectations,
                    std::size_t width) {
  std::vector<std::string> experiments;  // in the study's order
  for (const data::Cell& cell : cells)
    if (std::find(experiments.begin(), experiments.end(), cell.experiment) == experiments.end())
      experiments.push_back(cell.experiment);
  std::string text;
  for (const std::string& id : experiments) {
    const std::vector<Line> lines = lines_of(cells, outcomes, id);
    if (!lines.empty()) text += experiment_table(*catalogue.experiment(id), lines, width);
  }
  return text + expectations_text(expectations);
}

std::string closing_line(const run::OutcomeSummaries& outcomes, double seconds, const std::string& file) {
  std::size_t counts[5] = {}, missing = 0;
  for (const auto& outcome : outcomes) outcome ? ++counts[static_cast<std::size_t>(outcome->status)] : ++missing;
  std::string text = fmt::format("\n{} cells ok", counts[static_cast<std::size_t>(data::Status::ok)]);
  for (const data::Status status :
       {data::Status::skipped, data::Status::failed, data::Status::crashed, data::Status::timeout})
    if (const std::size_t count = counts[static_cast<std::size_t>(status)]; count > 0)
      text += fmt::format(", {} {}", count, data::to_text(status));
  if (missing > 0) text += fmt::format(", {} of {} not run", missing, outcomes.size());
  return text + fmt::format(" in {}: {}\n", base::human_seconds(seconds), base::printable(file));
}

}  // namespace poslab::app
