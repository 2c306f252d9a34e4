// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/record.hpp"

#include <fmt/format.h>

#include "poslab/base/error.hpp"

namespace poslab::data {

void Record::scalar(std::string name, double value) { curve(std::move(name), {}, {value}); }

void Record::curve(std::string name, std::vector<std::string> dimensions, std::vector<double> values) {
  if (measurement(name)) throw base::Error(fmt::format("the measure \"{}\" was recorded twice", name));
  std::size_t expected = 1;
  for (const std::string& dimension : dimensions) {
    const Coordinate* coordinate = coordinate_of(dimension);
    if (!coordinate)
      throw base::Error(
          fmt::format("the measure \"{}\" has the dimension \"{}\", which has no coordinates yet", name, dimension));
    if (__builtin_mul_overflow(expected, coordinate->values.size(), &expected))
      throw base::Error(fmt::format("the measure \"{}\" has more values than can be counted", name));
  }
  if (values.size() != expected)
    throw base::Error(
        fmt::format("the measure \"{}\" has {} values, but its dimensions hold {}", name, values.size(), expected));
  measurements_.push_back({std::move(name), std::move(dimensions), std::move(values)});
}

void Record::coordinate(std::string dimension, std::vector<double> values) {
  if (coordinate_of(dimension)) throw base::Error(fmt::format("the coordinates of \"{}\" were given twice", dimension));
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!(values[i] > values[i - 1]))
      throw base::Error(fmt::format("the coordinates of \"{}\" do not increase at index {}", dimension, i));
  coordinates_.push_back({std::move(dimension), std::move(values)});
}

void Record::position_coordinate(std::string dimension, std::string axis, std::vector<double> values) {
  const Coordinate* coordinate = coordinate_of(dimension);
  if (!coordinate || coordinate->values.size() != values.size())
    throw base::Error(fmt::format("the {} of \"{}\" has {} values, but there are {} coordinates", axis, dimension,
                                  values.size(), coordinate ? coordinate->values.size() : 0));
  position_coordinates_.push_back({std::move(dimension), std::move(axis), std::move(values)});
}

void Record::keep(std::string name, std::vector<std::int64_t> shape, std::vector<double> values) {
  keep(KeptArray{std::move(name), std::move(shape), std::move(values)});
}

void Record::keep(std::string name, std::vector<std::int64_t> shape, std::vector<float> values) {
  keep(KeptArray{std::move(name), std::move(shape), std::move(values)});
}

void Record::keep(KeptArray array) {
  if (const std::string problem = why_not_kept(array); !problem.empty()) throw base::Error(problem);
  if (find_array(kept_, array.name)) throw base::Error(fmt::format("the array \"{}\" was kept twice", array.name));
  kept_.push_back(std::move(array));
}

const Measurement* Record::measurement(const std::string& name) const {
  for (const Measurement& measurement : measurements_)
    if (measurement.name == name) return &measurement;
  return nullptr;
}

const Coordinate* Record::coordinate_of(const std::string& dimension) const {
  for (const Coordinate& coordinate : coordinates_)
    if (coordinate.dimension == dimension) return &coordinate;
  return nullptr;
}

}  // namespace poslab::data
