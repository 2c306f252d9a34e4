// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poslab::experiments {
namespace {

std::vector<double> finite(const std::vector<const std::vector<double>*>& of_repeats) {
  std::vector<double> finite;
  for (const std::vector<double>* values : of_repeats)
    for (const double value : *values)
      if (std::isfinite(value)) finite.push_back(value);
  return finite;
}

}  // namespace

std::vector<const std::vector<double>*> Point::values(const std::string& measure) const {
  std::vector<const std::vector<double>*> all;
  for (const data::Record* record : repeats)
    if (const data::Measurement* measurement = record->measurement(measure)) all.push_back(&measurement->values);
  return all;
}

data::MeanAndError Point::mean(const std::string& measure, int element) const {
  std::vector<double> elements;
  for (const std::vector<double>* curve : values(measure)) {
    const auto size = static_cast<int>(curve->size());
    const int index = element < 0 ? size + element : element;
    if (index >= 0 && index < size) elements.push_back((*curve)[static_cast<std::size_t>(index)]);
  }
  return data::mean_and_error(elements);
}

double Point::largest(const std::string& measure) const {
  const std::vector<double> all = finite(values(measure));
  return all.empty() ? std::numeric_limits<double>::quiet_NaN() : *std::max_element(all.begin(), all.end());
}

double Point::smallest(const std::string& measure) const {
  const std::vector<double> all = finite(values(measure));
  return all.empty() ? std::numeric_limits<double>::quiet_NaN() : *std::min_element(all.begin(), all.end());
}

const std::vector<double>& Point::coordinate(const std::string& dimension) const {
  const data::Coordinate* coordinate = repeats.front()->coordinate_of(dimension);
  if (!coordinate) throw data::wrong_record("dimension", dimension, "has no coordinates in the record");
  return coordinate->values;
}

double Point::allowed(const std::string& measure, double largest_position, double length) const {
  const data::MeasureInfo& declared = *info.measure(measure);
  const double unit = declared.tolerance_unit.empty() ? 1 : largest(declared.tolerance_unit);
  return declared.tolerance_at(axes).allowed(0, 0, largest_position, length, unit);
}

}  // namespace poslab::experiments
