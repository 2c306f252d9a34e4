// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/summary_rows.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <variant>

namespace poslab::run {
namespace {

bool is_shown(const data::MeasureInfo& measure, const data::ExperimentInfo& info) {
  if (measure.dimensions.empty()) return true;
  const data::AxisInfo* axis = measure.dimensions.size() == 1 ? info.axis(measure.dimensions.front()) : nullptr;
  return axis && axis->inner;
}

data::MeanAndError mean_of(const SummaryRow& row, std::vector<double> OutcomeSummary::*of, std::size_t measure) {
  std::vector<double> values;
  for (const OutcomeSummary* outcome : row.outcomes)
    if (outcome->status == data::Status::ok) values.push_back((outcome->*of).at(measure));
  return data::mean_and_error(values);
}

bool has_value(const SummaryRow& row, std::size_t measure) { return mean_and_error(row, measure).values > 0; }

}  // namespace

bool SummaryRow::is_measured() const {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const auto* o) { return o->status == data::Status::ok; });
}

bool SummaryRow::is_untrained() const { return outcomes.front()->weights == data::WeightsState::untrained; }

std::string SummaryRow::trained() const { return outcomes.front()->trained(); }

std::vector<SummaryRow> rows_of(const std::vector<data::Cell>& cells, const OutcomeSummaries& outcomes,
                                const std::string& experiment) {
  std::vector<SummaryRow> rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const data::Cell& cell = cells[i];
    if (cell.experiment != experiment || !outcomes[i]) continue;
    const bool another_repeat =
        !rows.empty() && rows.back().cell->variant.label == cell.variant.label && rows.back().cell->axes == cell.axes;
    if (!another_repeat) rows.push_back({&cell, {}});
    rows.back().outcomes.push_back(&*outcomes[i]);
  }
  return rows;
}

std::vector<SummaryRow> last_points(const std::vector<SummaryRow>& rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<SummaryRow> shown;
  std::map<std::string, std::size_t> index;
  for (const SummaryRow& row : rows) {
    const auto [entry, is_first] = index.emplace(row.cell->variant.label, shown.size());
    if (is_first) {
      shown.push_back(row);
    } else if (row.is_measured()) {
      shown[entry->second] = row;
    }
  }
  return shown;
}

data::MeanAndError mean_and_error(const SummaryRow& row, std::size_t measure) {
  return mean_of(row, &OutcomeSummary::last, measure);
}

data::MeanAndError mean_and_error_of_first(const SummaryRow& row, std::size_t measure) {
  return mean_of(row, &OutcomeSummary::first, measure);
}

double last_coordinate(const SummaryRow& row, std::size_t measure) {
  for (const OutcomeSummary* outcome : row.outcomes)
    if (outcome->status == data::Status::ok && measure < outcome->at.size()) return outcome->at[measure];
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> varying_axes(const std::vector<SummaryRow>& rows) {
  std::vector<std::string> names;
  for (const SummaryRow& row : rows)
    for (const auto& [name, value] : row.cell->axes) {
      const data::Value* first = rows.front().cell->axes.find(name);
      const bool differs = !first || !(*first == value);
      if (differs && !std::holds_alternative<std::vector<double>>(value) &&
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  return names;
}

std::vector<std::size_t> shown_measures(const data::ExperimentInfo& info, const std::vector<SummaryRow>& rows) {
  std::vector<std::size_t> measures;
  for (std::size_t measure = 0; measure < info.measures.size(); ++measure)
    if (is_shown(info.measures[measure], info) &&
        std::any_of(rows.begin(), rows.end(), [&](const SummaryRow& row) { return has_value(row, measure); }))
      measures.push_back(measure);
  return measures;
}

}  // namespace poslab::run
