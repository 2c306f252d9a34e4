// SPDX-License-Identifier: Apache-2.0
#include "write/first_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "poslab/data/outcome.hpp"
#include "write/group.hpp"

namespace poslab::results {
namespace {

std::string label(const data::Cell& cell) {
  return fmt::format("{} of {}, repeat {}", cell.experiment, cell.variant.label, cell.repeat);
}

// A record may hold declared measures only, with their declared dimensions.
void check_declared(const data::ExperimentInfo& info, const data::Cell& cell, const data::Record& record) {
  for (const data::Measurement& measurement : record.measurements()) {
    const data::MeasureInfo* declared = info.measure(measurement.name);
    if (declared && declared->dimensions == measurement.dimensions) continue;
    throw base::Error(fmt::format(
        "{} gave the measure \"{}\"{}", label(cell), measurement.name,
        declared ? " with other dimensions than the experiment declares" : ", which the experiment does not declare"));
  }
}

ExperimentTable start(const data::ExperimentInfo& info) {
  ExperimentTable experiment;
  experiment.info = &info;
  for (const data::MeasureInfo& measure : info.measures) {
    if (measure.dimensions.empty()) experiment.scalars[measure.name];
    for (const std::string& name : measure.dimensions) {
      const auto same = [&](const DimensionUse& use) { return use.name() == name; };
      if (std::none_of(experiment.dimensions.begin(), experiment.dimensions.end(), same))
        experiment.dimensions.emplace_back(name);
    }
  }
  return experiment;
}

void add(ExperimentTable& experiment, const data::Record& record) {
  for (auto& [name, values] : experiment.scalars) {
    const data::Measurement* measurement = record.measurement(name);
    values.push_back(measurement ? measurement->values.front() : nan);
  }
  for (DimensionUse& use : experiment.dimensions) {
    const data::Coordinate* coordinate = record.coordinate_of(use.name());
    use.add(coordinate ? &coordinate->values : nullptr);
  }
  for (const data::PositionCoordinate& coordinate : record.position_coordinates()) {
    PositionAxis axis{experiment.dimension(coordinate.dimension).name(), coordinate.axis};
    std::vector<PositionAxis>& known = experiment.position_axes;
    if (std::find(known.begin(), known.end(), axis) == known.end()) known.push_back(std::move(axis));
  }
}

bool any_curve(const data::Record& record) {
  const auto is_curve = [](const data::Measurement& measurement) { return !measurement.dimensions.empty(); };
  return std::any_of(record.measurements().begin(), record.measurements().end(), is_curve);
}

ExperimentTable& find(std::vector<ExperimentTable>& experiments, const std::string& id) {
  for (ExperimentTable& experiment : experiments)
    if (experiment.info->id == id) return experiment;
  throw base::Error(fmt::format("a row is a cell of \"{}\", which is no experiment of this run", id));
}

}  // namespace

void DimensionUse::add(const std::vector<double>* coordinates) {
  const bool some = coordinates && !coordinates->empty();
  list_of_cell_.push_back(
      some ? static_cast<std::ptrdiff_t>(lists_.try_emplace(*coordinates, lists_.size()).first->second) : -1);
}

void DimensionUse::finish() {
  for (const auto& [list, number] : lists_) {
    std::vector<double> both;
    std::set_union(union_.begin(), union_.end(), list.begin(), list.end(), std::back_inserter(both));
    union_ = std::move(both);
  }
  indices_of_list_.resize(lists_.size());
  for (const auto& [list, number] : lists_)
    for (const double x : list)
      indices_of_list_[number].push_back(
          static_cast<std::size_t>(std::lower_bound(union_.begin(), union_.end(), x) - union_.begin()));
}

const std::vector<std::size_t>& DimensionUse::indices(std::size_t cell) const {
  static const std::vector<std::size_t> none;
  const std::ptrdiff_t list = list_of_cell_.at(cell);
  return list < 0 ? none : indices_of_list_[static_cast<std::size_t>(list)];
}

bool DimensionUse::prefixes_only() const {
  const auto is_prefix = [](const std::vector<std::size_t>& indices) { return indices.back() + 1 == indices.size(); };
  return std::all_of(indices_of_list_.begin(), indices_of_list_.end(), is_prefix);
}

const DimensionUse& ExperimentTable::dimension(const std::string& name) const {
  for (const DimensionUse& use : dimensions)
    if (use.name() == name) return use;
  throw base::Error(
      fmt::format("a record of {} has the dimension \"{}\", which the experiment does not declare", info->id, name));
}

FirstPass first_pass(const Description& description, const std::vector<Row>& rows) {
  FirstPass result;
  for (const data::ExperimentInfo& info : description.experiments) result.experiments.push_back(start(info));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const data::Cell& cell = *rows[row].cell;
    ExperimentTable& experiment = find(result.experiments, cell.experiment);
    data::Outcome outcome = rows[row].outcome();
    if (outcome.status != data::Status::ok) outcome.record = {};
    check_declared(*experiment.info, cell, outcome.record);
    result.row_in_experiment.push_back(experiment.rows.size());
    experiment.rows.push_back(row);
    add(experiment, outcome.record);
    result.has_curves.push_back(any_curve(outcome.record));
    result.has_kept.push_back(!outcome.record.kept().empty());
    result.status.push_back(outcome.status);
    result.weights.push_back(outcome.weights);
    result.message.push_back(std::move(outcome.message));
    data::for_each_fact(
        outcome, [&](const char* name, const char*, const char*, double fact) { result.facts[name].push_back(fact); });
  }
  for (ExperimentTable& experiment : result.experiments)
    for (DimensionUse& use : experiment.dimensions) use.finish();
  return result;
}

}  // namespace poslab::results
