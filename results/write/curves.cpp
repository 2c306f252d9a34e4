// SPDX-License-Identifier: Apache-2.0
#include "write/curves.hpp"

#include <fmt/format.h>

#include "h5/box.hpp"
#include "write/errors.hpp"

namespace poslab::results {
namespace {

void write_at(hid_t dataset, std::size_t cell, const Indices& indices, const std::vector<double>& values) {
  const Box box = box_around(indices), block = in_row(cell, box);
  h5::write_block(dataset, block.start, block.extent, spread(values, indices, box));
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
      throw MeasureMismatch(MeasureMismatch::Kind::other_size, fmt::format("row {} of {}", cell, experiment.info->id),
                            measure->name);
    write_at(dataset, cell, indices, measurement->values);
  }
  for (const auto& [axis, dataset] : positions_)
    for (const data::PositionCoordinate& coordinate : record.position_coordinates())
      if (axis == PositionAxis{coordinate.dimension, coordinate.axis} && !coordinate.values.empty())
        write_at(dataset, cell, {experiment.dimension(axis.dimension).indices(cell)}, coordinate.values);
}

}  // namespace poslab::results
