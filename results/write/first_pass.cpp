// SPDX-License-Identifier: Apache-2.0
#include "write/first_pass.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/data/outcome.hpp"
#include "write/errors.hpp"
#include "write/group.hpp"

namespace poslab::results {
namespace {

using Kind = MeasureMismatch::Kind;

std::string label(const data::Cell& cell) {
  return fmt::format("{} of {}, repeat {}", cell.experiment, cell.variant.label, cell.repeat);
}

// A record may hold declared measures only, with their declared dimensions.
void check_declared(const data::ExperimentInfo& info, const data::Cell& cell, const data::Record& record) {
  for (const data::Measurement& measurement : record.measurements()) {
    const data::MeasureInfo* declared = info.measure(measurement.name);
    if (!declared) throw MeasureMismatch(Kind::undeclared, label(cell), measurement.name);
    if (declared->dimensions != measurement.dimensions)
      throw MeasureMismatch(Kind::other_dimensions, label(cell), measurement.name);
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
  for (const data::Measurement& measurement : record.measurements())
    if (!measurement.dimensions.empty()) return true;
  return false;
}

ExperimentTable& find(std::vector<ExperimentTable>& experiments, const std::string& id) {
  for (ExperimentTable& experiment : experiments)
    if (experiment.info->id == id) return experiment;
  throw UnknownExperiment(id);
}

template <class Experiment>
auto& find_dimension(Experiment& experiment, const std::string& name) {
  for (auto& use : experiment.dimensions)
    if (use.name() == name) return use;
  throw UnknownDimension("a record of " + experiment.info->id, name, "which the experiment does not declare");
}

}  // namespace

DimensionUse& ExperimentTable::dimension(const std::string& name) { return find_dimension(*this, name); }
const DimensionUse& ExperimentTable::dimension(const std::string& name) const { return find_dimension(*this, name); }

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
    result.seconds.push_back(outcome.seconds);
  }
  for (ExperimentTable& experiment : result.experiments)
    for (DimensionUse& use : experiment.dimensions) use.finish();
  return result;
}

}  // namespace poslab::results
