// SPDX-License-Identifier: Apache-2.0
#include "dimensions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "columns.hpp"
#include "poslab/base/error.hpp"

namespace poslab::results {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Whole numbers are written as integers: `position` reads 0, 1, 2, and a time of 0.7 stays one.
h5::Values as_coordinates(const std::vector<double>& values) {
  std::vector<std::int64_t> whole;
  for (const double value : values) {
    if (!(std::abs(value) <= 9007199254740992.0) || value != std::floor(value)) return values;
    whole.push_back(static_cast<std::int64_t>(value));
  }
  return whole;
}

Attributes dimension_attributes(const base::ExperimentInfo& info, const std::string& name) {
  if (const base::AxisInfo* axis = info.axis(name)) return {{"units", axis->unit}, {"long_name", axis->sentence}};
  for (const base::DimensionInfo& dimension : info.dimensions)
    if (dimension.name == name) return {{"units", dimension.unit}, {"long_name", dimension.sentence}};
  throw base::Error(fmt::format("{} has a measure over \"{}\", which it declares neither as an axis nor as a dimension",
                                info.id, name));
}

// `<dimension>_count` where every cell has the first so many coordinates, else the mask `<dimension>_used`.
void write_extent(Group& group, const DimensionUse& use, std::size_t cells) {
  if (use.prefixes_only()) {
    std::vector<std::int64_t> counts;
    for (std::size_t cell = 0; cell < cells; ++cell)
      counts.push_back(static_cast<std::int64_t>(use.places(cell).size()));
    group.variable(
        use.name() + "_count", {"cell"}, counts,
        {{"units", "1"}, {"long_name", fmt::format("how many of the first values of {} the cell has", use.name())}});
    return;
  }
  const hid_t mask = group.open_variable(use.name() + "_used", {"cell", use.name()}, h5::Type::flag,
                                         {{"flag_values", std::vector<std::uint8_t>{0, 1}},
                                          {"flag_meanings", "absent present"},
                                          {"long_name", fmt::format("which values of {} the cell has", use.name())}});
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (use.places(cell).empty()) continue;
    std::vector<std::uint8_t> row(use.coordinates().size(), 0);
    for (const std::size_t place : use.places(cell)) row[place] = 1;
    h5::write_block(mask, {cell, 0}, {1, row.size()}, row);
  }
}

// Where the points of a dimension lie, of each cell: rows and columns of a grid.
void write_places(Group& group, const base::ExperimentInfo& info, const ExperimentSurvey& experiment,
                  const std::string& dimension, CurveWriter& curves) {
  for (const PlaceUse& place : experiment.places)
    if (place.dimension == dimension) {
      Attributes attributes = dimension_attributes(info, dimension);
      attributes.back().second = fmt::format("{} of each {}", place.axis, dimension);
      attributes.emplace_back("_FillValue", nan);
      curves.add(place, group.open_variable(place.name(), {"cell", dimension}, h5::Type::real, attributes));
    }
}

}  // namespace

void write_dimension(Group& group, const base::ExperimentInfo& info, const ExperimentSurvey& experiment,
                     const DimensionUse& use, CurveWriter& curves) {
  if (use.name() != "position") refuse_reserved(use.name(), "a dimension");
  group.dimension(use.name(), as_coordinates(use.coordinates()), dimension_attributes(info, use.name()));
  write_extent(group, use, experiment.rows.size());
  write_places(group, info, experiment, use.name(), curves);
}

std::string with_places(std::string coordinates, const base::MeasureInfo& measure, const ExperimentSurvey& experiment) {
  for (const std::string& dimension : measure.dimensions)
    for (const PlaceUse& place : experiment.places)
      if (place.dimension == dimension) coordinates += " " + place.name();
  return coordinates;
}

}  // namespace poslab::results
