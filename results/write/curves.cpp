// SPDX-License-Identifier: Apache-2.0
#include "write/curves.hpp"

#include <fmt/format.h>

#include <cmath>

#include "h5/box.hpp"
#include "write/columns.hpp"

namespace poslab::results {
namespace {

void write_at(hid_t dataset, std::size_t cell, const Indices& indices, const std::vector<double>& values) {
  const Box box = box_around(indices), block = in_row(cell, box);
  h5::write_block(dataset, block.start, block.extent, spread(values, indices, box));
}

// Whole numbers are written as integers: `position` reads 0, 1, 2, and a time of 0.7 stays one.
h5::Values as_coordinates(const std::vector<double>& values) {
  std::vector<std::int64_t> whole;
  for (const double value : values) {
    if (!(std::abs(value) <= 9007199254740992.0) || value != std::floor(value)) return values;
    whole.push_back(static_cast<std::int64_t>(value));
  }
  return whole;
}

Attributes dimension_attributes(const data::ExperimentInfo& info, const std::string& name) {
  if (const data::AxisInfo* axis = info.axis(name)) return {{"units", axis->unit}, {"long_name", axis->sentence}};
  for (const data::DimensionInfo& dimension : info.dimensions)
    if (dimension.name == name) return {{"units", dimension.unit}, {"long_name", dimension.sentence}};
  throw base::Error(
      fmt::format("a measure of {} has the dimension \"{}\", which is declared neither as an axis nor as a dimension",
                  info.id, name));
}

// `<dimension>_count` where every cell has the first so many coordinates, else the mask `<dimension>_used`.
void write_extent(Group& group, const DimensionUse& use, std::size_t cells) {
  if (use.prefixes_only()) {
    std::vector<std::int64_t> counts;
    for (std::size_t cell = 0; cell < cells; ++cell)
      counts.push_back(static_cast<std::int64_t>(use.indices(cell).size()));
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
    if (use.indices(cell).empty()) continue;
    std::vector<std::uint8_t> row(use.coordinates().size(), 0);
    for (const std::size_t index : use.indices(cell)) row[index] = 1;
    h5::write_block(mask, {cell, 0}, {1, row.size()}, row);
  }
}

// The positions of each cell's points of a dimension: rows and columns of a grid.
void write_positions(Group& group, const data::ExperimentInfo& info, const ExperimentTable& experiment,
                     const std::string& dimension, CurveWriter& curves) {
  for (const PositionAxis& axis : experiment.position_axes)
    if (axis.dimension == dimension) {
      Attributes attributes = dimension_attributes(info, dimension);
      attributes.back().second = fmt::format("{} of each {}", axis.axis, dimension);
      attributes.emplace_back("_FillValue", nan);
      curves.add(axis, group.open_variable(axis.name(), {"cell", dimension}, h5::Type::real, attributes));
    }
}

}  // namespace

void CurveWriter::write(const data::Record& record, const ExperimentTable& experiment, std::size_t cell) const {
  for (const auto& [measure, dataset] : measures_) {
    const data::Measurement* measurement = record.measurement(measure->name);
    if (!measurement || measurement->values.empty()) continue;
    Indices indices;
    std::size_t points = 1;
    for (const std::string& dimension : measurement->dimensions) {
      indices.push_back(experiment.dimension(dimension).indices(cell));
      points *= indices.back().size();
    }
    if (points != measurement->values.size())
      throw base::Error(
          fmt::format("row {} of {} gave the measure \"{}\" with another size at the second reading than at the first",
                      cell, experiment.info->id, measure->name));
    write_at(dataset, cell, indices, measurement->values);
  }
  for (const auto& [axis, dataset] : positions_)
    for (const data::PositionCoordinate& coordinate : record.position_coordinates())
      if (axis == PositionAxis{coordinate.dimension, coordinate.axis} && !coordinate.values.empty())
        write_at(dataset, cell, {experiment.dimension(axis.dimension).indices(cell)}, coordinate.values);
}

void write_dimension(Group& group, const data::ExperimentInfo& info, const ExperimentTable& experiment,
                     const DimensionUse& use, CurveWriter& curves) {
  if (use.name() != "position") refuse_reserved(use.name(), "a dimension");
  group.dimension(use.name(), as_coordinates(use.coordinates()), dimension_attributes(info, use.name()));
  write_extent(group, use, experiment.rows.size());
  write_positions(group, info, experiment, use.name(), curves);
}

std::string coordinate_names(std::string columns, const data::MeasureInfo& measure, const ExperimentTable& experiment) {
  for (const std::string& dimension : measure.dimensions)
    for (const PositionAxis& axis : experiment.position_axes)
      if (axis.dimension == dimension) columns += " " + axis.name();
  return columns;
}

}  // namespace poslab::results
