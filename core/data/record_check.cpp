// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "poslab/base/find_by.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/record.hpp"

namespace poslab::data {
namespace {

std::optional<base::Refusal> why_not_measurement(const Measurement& measurement, const ExperimentInfo& experiment) {
  const MeasureInfo* declared = experiment.measure(measurement.name);
  if (!declared) return fmt::format("{} does not measure {}", experiment.id, base::excerpt(measurement.name));
  if (declared->dimensions != measurement.dimensions)
    return fmt::format("{} has other dimensions than are declared", base::excerpt(measurement.name));
  return std::nullopt;
}

std::optional<base::Refusal> why_not_coordinate(const Coordinate& coordinate, const ExperimentInfo& experiment,
                                                const Cell& cell) {
  const AxisInfo* axis = experiment.axis(coordinate.dimension);
  if (axis && axis->inner) {
    const auto* wanted = std::get_if<std::vector<double>>(cell.axes.find(axis->name));
    const auto is_wanted = [&](double x) { return std::find(wanted->begin(), wanted->end(), x) != wanted->end(); };
    if (!wanted || std::all_of(coordinate.values.begin(), coordinate.values.end(), is_wanted)) return std::nullopt;
    return fmt::format("{} has values that the cell was not asked for", base::excerpt(axis->name));
  }
  if (base::find_by(experiment.dimensions, &DimensionInfo::name, coordinate.dimension)) return std::nullopt;
  return fmt::format("{} has no dimension {}", experiment.id, base::excerpt(coordinate.dimension));
}

}  // namespace

std::optional<base::Refusal> why_not_record_of(const Record& record, const ExperimentInfo& experiment,
                                               const Cell& cell) {
  for (const Measurement& measurement : record.measurements())
    if (auto refusal = why_not_measurement(measurement, experiment)) return refusal;
  for (const Coordinate& coordinate : record.coordinates())
    if (auto refusal = why_not_coordinate(coordinate, experiment, cell)) return refusal;
  return std::nullopt;
}

}  // namespace poslab::data
