// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/record.hpp"

#include <fmt/format.h>

#include "poslab/base/find_by.hpp"

namespace poslab::data {

base::Error wrong_record(const std::string& kind, std::string of, std::string found) {
  return base::Error(fmt::format("the {} \"{}\" {}", kind, of, found));
}

void Record::scalar(std::string name, double value) { curve(std::move(name), {}, {value}); }

void Record::curve(std::string name, std::vector<std::string> dimensions, std::vector<double> values) {
  if (measurement(name)) throw wrong_record("measure", name, "was recorded twice");
  std::size_t expected = 1;
  for (const std::string& dimension : dimensions) {
    const Coordinate* coordinate = coordinate_of(dimension);
    if (!coordinate)
      throw wrong_record("measure", name,
                         fmt::format("has the dimension \"{}\", which has no coordinates yet", dimension));
    if (__builtin_mul_overflow(expected, coordinate->values.size(), &expected))
      throw wrong_record("measure", name, "has more values than can be counted");
  }
  if (values.size() != expected)
    throw wrong_record("measure", name,
                       fmt::format("has {} values, but its dimensions hold {}", values.size(), expected));
  measurements_.push_back({std::move(name), std::move(dimensions), std::move(values)});
}

void Record::coordinate(std::string dimension, std::vector<double> values) {
  if (coordinate_of(dimension)) throw wrong_record("dimension", dimension, "has its coordinates given twice");
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!(values[i] > values[i - 1]))
      throw wrong_record("dimension", dimension, fmt::format("has coordinates that do not increase at index {}", i));
  coordinates_.push_back({std::move(dimension), std::move(values)});
}

void Record::position_coordinate(std::string dimension, std::string axis, std::vector<double> values) {
  const Coordinate* coordinate = coordinate_of(dimension);
  if (!coordinate || coordinate->values.size() != values.size())
    throw wrong_record("dimension", dimension,
                       fmt::format("has {} values of {}, but {} coordinates", values.size(), axis,
                                   coordinate ? coordinate->values.size() : 0));
  position_coordinates_.push_back({std::move(dimension), std::move(axis), std::move(values)});
}

void Record::keep(std::string name, std::vector<std::int64_t> shape, std::vector<double> values) {
  keep(KeptArray{std::move(name), std::move(shape), std::move(values)});
}

void Record::keep(std::string name, std::vector<std::int64_t> shape, std::vector<float> values) {
  keep(KeptArray{std::move(name), std::move(shape), std::move(values)});
}

void Record::keep(KeptArray array) {
  if (const auto refusal = why_not_kept(array))
    throw wrong_record("array", array.name, "cannot be kept: " + refusal->reason);
  if (find_array(kept_, array.name)) throw wrong_record("array", array.name, "was kept twice");
  kept_.push_back(std::move(array));
}

const Measurement* Record::measurement(const std::string& name) const {
  return base::find_by(measurements_, &Measurement::name, name);
}

const Coordinate* Record::coordinate_of(const std::string& dimension) const {
  return base::find_by(coordinates_, &Coordinate::dimension, dimension);
}

}  // namespace poslab::data
