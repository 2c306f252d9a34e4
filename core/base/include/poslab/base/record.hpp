// SPDX-License-Identifier: Apache-2.0
// What a cell produces: named arrays with dimensions, and the coordinates of those dimensions.
#pragma once

#include <string>
#include <vector>

namespace poslab::base {

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

/// Where the points of a dimension lie along one axis of their positions: of the cells of a grid, or of offsets there,
/// the `row` and the `column`; `value` where a point is a token and its number does not say where it stands.
struct Place {
  std::string dimension, axis;
  std::vector<double> values;  ///< one for each coordinate of the dimension
};

class Record {
 public:
  void scalar(std::string name, double value);
  /// A curve over dimensions whose coordinates were given before; throws Error if the sizes disagree.
  void curve(std::string name, std::vector<std::string> dimensions, std::vector<double> values);
  /// Gives the coordinates of a dimension, once.
  void coordinate(std::string dimension, std::vector<double> values);
  /// Says where the points of a dimension lie whose coordinates were given before; throws Error if the sizes disagree.
  void place(std::string dimension, std::string axis, std::vector<double> values);

  const std::vector<Measurement>& measurements() const { return measurements_; }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  const std::vector<Place>& places() const { return places_; }
  const Measurement* measurement(const std::string& name) const;
  const Coordinate* coordinate_of(const std::string& dimension) const;

 private:
  std::vector<Measurement> measurements_;
  std::vector<Coordinate> coordinates_;
  std::vector<Place> places_;
};

}  // namespace poslab::base
