// SPDX-License-Identifier: Apache-2.0
#include "survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "poslab/base/error.hpp"

namespace poslab::results {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string label(const base::Cell& cell) {
  return fmt::format("{} of {}, repeat {}", cell.experiment, cell.variant.label, cell.repeat);
}

// A record speaks of declared measures only, with their declared dimensions.
void check_declared(const base::ExperimentInfo& info, const base::Cell& cell, const base::Record& record) {
  for (const base::Measurement& measurement : record.measurements()) {
    const base::MeasureInfo* declared = info.measure(measurement.name);
    if (!declared)
      throw base::Error(fmt::format("{} gave the measure \"{}\", which the experiment does not declare", label(cell),
                                    measurement.name));
    if (declared->dimensions != measurement.dimensions)
      throw base::Error(fmt::format("{} gave the measure \"{}\" with other dimensions than the experiment declares",
                                    label(cell), measurement.name));
  }
}

ExperimentSurvey start(const base::ExperimentInfo& info) {
  ExperimentSurvey experiment;
  experiment.info = &info;
  for (const base::MeasureInfo& measure : info.measures) {
    if (measure.dimensions.empty()) experiment.scalars[measure.name];
    for (const std::string& name : measure.dimensions) {
      const auto same = [&](const DimensionUse& use) { return use.name() == name; };
      if (std::none_of(experiment.dimensions.begin(), experiment.dimensions.end(), same))
        experiment.dimensions.emplace_back(name);
    }
  }
  return experiment;
}

void add(ExperimentSurvey& experiment, const base::Record& record) {
  for (auto& [name, values] : experiment.scalars) {
    const base::Measurement* measurement = record.measurement(name);
    values.push_back(measurement ? measurement->values.front() : nan);
  }
  for (DimensionUse& use : experiment.dimensions) {
    const base::Coordinate* coordinate = record.coordinate_of(use.name());
    use.add(coordinate ? &coordinate->values : nullptr);
  }
  for (const base::Place& place : record.places()) {
    PlaceUse use{experiment.dimension(place.dimension).name(), place.axis};
    if (std::find(experiment.places.begin(), experiment.places.end(), use) == experiment.places.end())
      experiment.places.push_back(std::move(use));
  }
}

bool any_curve(const base::Record& record) {
  for (const base::Measurement& measurement : record.measurements())
    if (!measurement.dimensions.empty()) return true;
  return false;
}

template <class Experiments>
auto& find(Experiments& experiments, const std::string& id) {
  for (auto& experiment : experiments)
    if (experiment.info->id == id) return experiment;
  throw base::Error(fmt::format("a row is a cell of \"{}\", which is no experiment of this run", id));
}

template <class Experiment>
auto& find_dimension(Experiment& experiment, const std::string& name) {
  for (auto& use : experiment.dimensions)
    if (use.name() == name) return use;
  throw base::Error(fmt::format("\"{}\" is no dimension of {}", name, experiment.info->id));
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
  places_of_list_.resize(lists_.size());
  for (const auto& [list, number] : lists_)
    for (const double x : list)
      places_of_list_[number].push_back(
          static_cast<std::size_t>(std::lower_bound(union_.begin(), union_.end(), x) - union_.begin()));
}

const std::vector<std::size_t>& DimensionUse::places(std::size_t cell) const {
  static const std::vector<std::size_t> none;
  const std::ptrdiff_t list = list_of_cell_.at(cell);
  return list < 0 ? none : places_of_list_[static_cast<std::size_t>(list)];
}

bool DimensionUse::prefixes_only() const {
  const auto is_prefix = [](const std::vector<std::size_t>& places) { return places.back() + 1 == places.size(); };
  return std::all_of(places_of_list_.begin(), places_of_list_.end(), is_prefix);
}

DimensionUse& ExperimentSurvey::dimension(const std::string& name) { return find_dimension(*this, name); }
const DimensionUse& ExperimentSurvey::dimension(const std::string& name) const { return find_dimension(*this, name); }
const ExperimentSurvey& Survey::experiment(const std::string& id) const { return find(experiments, id); }

Survey survey(const Description& description, const std::vector<Row>& rows) {
  Survey result;
  for (const base::ExperimentInfo& info : description.experiments) result.experiments.push_back(start(info));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const base::Cell& cell = *rows[row].cell;
    ExperimentSurvey& experiment = find(result.experiments, cell.experiment);
    base::Outcome outcome = rows[row].outcome();
    if (outcome.status != base::Status::ok) outcome.record = {};
    check_declared(*experiment.info, cell, outcome.record);
    result.row_in_experiment.push_back(experiment.rows.size());
    experiment.rows.push_back(row);
    add(experiment, outcome.record);
    result.has_curves.push_back(any_curve(outcome.record));
    result.status.push_back(outcome.status);
    result.message.push_back(std::move(outcome.message));
    result.seconds.push_back(outcome.seconds);
  }
  for (ExperimentSurvey& experiment : result.experiments)
    for (DimensionUse& use : experiment.dimensions) use.finish();
  return result;
}

}  // namespace poslab::results
