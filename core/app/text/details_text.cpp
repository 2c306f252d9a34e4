// SPDX-License-Identifier: Apache-2.0
#include "text/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/run/summary_rows.hpp"
#include "terminal/text_table.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t max_lines = 20;  // about a screen; beyond, each variant shows its last point only

// A measure of the table, and where its last value stands: at one coordinate for all lines, or at one for each.
struct DetailColumn {
  std::size_t measure;
  std::string heading;
  bool tells_where;  ///< each line for itself
};

DetailColumn column_of(const data::ExperimentInfo& info, std::size_t measure,
                       const std::vector<run::SummaryRow>& lines) {
  const data::MeasureInfo& declared = info.measures[measure];
  std::set<double> at;
  for (const run::SummaryRow& line : lines)
    if (const double where = run::last_coordinate(line, measure); !std::isnan(where)) at.insert(where);
  if (at.empty()) return {measure, declared.name, false};
  if (at.size() > 1) return {measure, fmt::format("{} @{}", declared.name, declared.dimensions.front()), true};
  return {measure, fmt::format("{} @{}={}", declared.name, declared.dimensions.front(), base::shortest(*at.begin())),
          false};
}

std::string number_text(double x) {
  if (std::isnan(x)) return no_entry;
  return x == std::floor(x) && std::abs(x) < 1e9 ? fmt::format("{:.0f}", x) : fmt::format("{:.4g}", x);
}

std::string common_point(const run::SummaryRow& line, const std::vector<std::string>& varying) {
  std::string text;
  for (const auto& [name, value] : line.cell->axes)
    if (!std::holds_alternative<std::vector<double>>(value) &&
        std::find(varying.begin(), varying.end(), name) == varying.end())
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, data::to_text(value));
  return text;
}

std::string value_text(const data::MeanAndError& value) {
  return value.error == 0 ? number_text(value.mean) : data::to_text(value, 4);
}

std::vector<std::string> row_words(const run::SummaryRow& line, const std::vector<std::string>& axes,
                                   const std::vector<DetailColumn>& columns) {
  std::vector<std::string> row{line.cell->variant.label + (line.is_untrained()      ? " *"
                                                           : line.trained().empty() ? ""
                                                                                    : " †")};
  for (const std::string& name : axes)
    row.push_back(line.cell->axes.contains(name) ? data::to_text(line.cell->axes.at(name)) : no_entry);
  for (const DetailColumn& column : columns) {
    row.push_back(value_text(run::mean_and_error(line, column.measure)));
    const double at = column.tells_where ? run::last_coordinate(line, column.measure) : std::nan("");
    if (!std::isnan(at)) row.back() += " @" + base::shortest(at);
  }
  return row;
}

// What the table leaves out: what its star means, and which schemes were not measured, and why.
std::string notes(const std::vector<run::SummaryRow>& lines, std::size_t width) {
  bool untrained = false;
  std::vector<std::string> trainings;
  std::map<std::string, std::vector<std::string>> not_measured;  // labels by reason
  for (const run::SummaryRow& line : lines) {
    if (line.is_measured()) {
      untrained = untrained || line.is_untrained();
      const std::string training = line.trained();
      if (!training.empty() && std::ranges::find(trainings, training) == trainings.end()) trainings.push_back(training);
      continue;
    }
    std::vector<std::string>& labels = not_measured[line.outcomes.front()->message];
    if (labels.empty() || labels.back() != line.cell->variant.label) labels.push_back(line.cell->variant.label);
  }
  std::string text = untrained ? "  * untrained weights, as drawn at initialisation\n" : "";
  text += trainings_text(trainings, {}, width);
  for (const auto& [reason, labels] : not_measured)
    text += wrapped("  " + base::printable(fmt::format("{}: {}", base::enumerate(labels), reason)), width, 4);
  return text;
}

std::string experiment_table(const data::ExperimentInfo& info, const std::vector<run::SummaryRow>& all,
                             std::size_t width) {
  const std::vector<run::SummaryRow> lines = run::last_points(all, max_lines);
  std::vector<DetailColumn> columns;
  for (const std::size_t measure : run::shown_measures(info, lines)) columns.push_back(column_of(info, measure, lines));
  const std::vector<std::string> varying = run::varying_axes(lines);
  std::vector<std::vector<std::string>> rows{{"scheme"}};
  for (const std::string& name : varying) rows.front().push_back(name);
  for (const DetailColumn& column : columns) rows.front().push_back(column.heading);
  for (const run::SummaryRow& line : lines)
    if (line.is_measured()) rows.push_back(row_words(line, varying, columns));
  std::string title = "\n" + wrapped(base::printable(info.id + ": " + info.title), width, 2);
  if (!lines.empty())
    title +=
        wrapped(fmt::format("  {}{}", base::printable(common_point(lines.front(), varying)),
                            lines.size() < all.size()
                                ? fmt::format(" (the last of each scheme's points; the file has all {})", all.size())
                                : ""),
                width, 2);
  if (columns.empty() && rows.size() > 1)
    return title + "  all that it measures are curves: the notebook draws them\n" + notes(lines, width);
  const std::string table = rows.size() > 1 ? text_table(rows, 1 + varying.size(), width) : "";
  const bool has_gaps = table.find(no_entry) != std::string::npos;
  return title + table + (has_gaps ? fmt::format("  {} no value\n", no_entry) : "") + notes(lines, width);
}

}  // namespace

std::string details_text(const Conclusions& run, const std::vector<std::string>& experiments, std::size_t width) {
  std::string text;
  for (const std::string& id : experiments) {
    const std::vector<run::SummaryRow> lines = run::rows_of(run.cells, run.outcomes, id);
    if (lines.empty()) continue;
    const data::ExperimentInfo* info = run.catalogue.experiment(id);
    text += info ? experiment_table(*info, lines, width)
                 : fmt::format("\n{}\n  is not described here, so its measures are not shown\n", base::printable(id));
  }
  return text;
}

}  // namespace poslab::app
