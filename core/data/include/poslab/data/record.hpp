// SPDX-License-Identifier: Apache-2.0
// What a cell produces: named arrays with dimensions, and the coordinates of those dimensions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/refusal.hpp"
#include "poslab/data/kept_array.hpp"

namespace poslab::data {

/// One measure of one cell. `values` is row-major over `dimensions`; a scalar has none and one value.
/// NaN means: not defined at this point (the measure's page says when). What it means stands in its MeasureInfo.
struct Measurement {
  std::string name;
  std::vector<std::string> dimensions;
  std::vector<double> values;
};

/// The coordinate values of one dimension of this record, strictly increasing.
struct Coordinate {
  std::string dimension;
  std::vector<double> values;
};

/// The positions of a dimension's points along one axis: `row` and `column` of cells of a grid or of offsets between
/// them; `value` where a point is a token whose number is not its position.
struct PositionCoordinate {
  std::string dimension, axis;
  std::vector<double> values;  ///< one for each coordinate of the dimension
};

/// An experiment that fills its record wrongly: twice, or with numbers that its dimensions do not hold.
base::Error wrong_record(const std::string& kind, std::string name, std::string problem);

/// Every function that fills it throws `wrong_record`.
class Record {
 public:
  void scalar(std::string name, double value);
  /// A curve over dimensions whose coordinates were given before; the sizes must agree.
  void curve(std::string name, std::vector<std::string> dimensions, std::vector<double> values);
  /// Gives the coordinates of a dimension, once.
  void coordinate(std::string dimension, std::vector<double> values);
  /// Gives positions for a dimension whose coordinates were given before; the sizes must agree.
  void position_coordinate(std::string dimension, std::string axis, std::vector<double> values);

  /// Keeps an array beside the measures, where the study asks to keep weights; a name must be good and
  /// new, and values fit the shape. With an array goes what it comes from.
  void keep(std::string name, std::vector<std::int64_t> shape, std::vector<double> values);
  void keep(std::string name, std::vector<std::int64_t> shape, std::vector<float> values);
  void keep(KeptArray array);
  /// Says that the measures are of trained weights, whether they are kept or not.
  void trained(Training training) { training_ = std::move(training); }

  const std::vector<Measurement>& measurements() const { return measurements_; }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  const std::vector<PositionCoordinate>& position_coordinates() const { return position_coordinates_; }
  const std::vector<KeptArray>& kept() const { return kept_; }
  const Training& training() const { return training_; }
  const Measurement* measurement(const std::string& name) const;
  const Coordinate* coordinate_of(const std::string& dimension) const;

 private:
  std::vector<Measurement> measurements_;
  std::vector<Coordinate> coordinates_;
  std::vector<PositionCoordinate> position_coordinates_;
  std::vector<KeptArray> kept_;
  Training training_;
};

struct Cell;
struct ExperimentInfo;
/// Nothing if the record can be one of this cell: only declared measures, with their declared dimensions, and inner
/// axes at the cell's own values. Otherwise why not.
std::optional<base::Refusal> why_not_record_of(const Record& record, const ExperimentInfo& experiment,
                                               const Cell& cell);

}  // namespace poslab::data
