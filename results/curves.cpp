// SPDX-License-Identifier: Apache-2.0
#include "curves.hpp"

#include <fmt/format.h>

#include "box.hpp"
#include "poslab/base/error.hpp"

namespace poslab::results {
namespace {

void write_at(hid_t dataset, std::size_t cell, const Places& places, const std::vector<double>& values) {
  const Box box = box_around(places), place = in_row(cell, box);
  h5::write_block(dataset, place.start, place.extent, spread(values, places, box));
}

}  // namespace

void CurveWriter::write(const base::Record& record, const ExperimentSurvey& experiment, std::size_t cell) const {
  for (const auto& [measure, dataset] : targets_) {
    const base::Measurement* measurement = record.measurement(measure->name);
    if (!measurement || measurement->values.empty()) continue;
    Places places;
    std::size_t points = 1;
    for (const std::string& dimension : measurement->dimensions) {
      places.push_back(experiment.dimension(dimension).places(cell));
      points *= places.back().size();
    }
    if (points != measurement->values.size())
      throw base::Error(fmt::format("\"{}\" of a cell of {} changed its size between two readings", measure->name,
                                    experiment.info->id));
    write_at(dataset, cell, places, measurement->values);
  }
  for (const auto& [use, dataset] : places_)
    for (const base::Place& place : record.places())
      if (use == PlaceUse{place.dimension, place.axis} && !place.values.empty())
        write_at(dataset, cell, {experiment.dimension(use.dimension).places(cell)}, place.values);
}

}  // namespace poslab::results
