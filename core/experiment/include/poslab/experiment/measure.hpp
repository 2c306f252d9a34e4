// SPDX-License-Identifier: Apache-2.0
// Measures as typed handles: what an experiment fills and what its answer reads are these, never names.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/record.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments {

/// A dimension of curves is a type with a member `dimension`: either the name of an inner axis, or one whose
/// coordinates come with each record.
struct InnerAxis {
  const char* name;
};
struct Dimension {
  const char* name;
  const char* unit = "1";
  const char* sentence;
  std::vector<std::string> (*within)() = nullptr;  ///< names of axes, see data::DimensionInfo
  double times = 1;
  bool reached = false;
};

template <class D>
concept CurveDimension = requires {
  D::dimension.name;
};

/// A measure over these dimensions; of none, a scalar. Texts as data::MeasureInfo has them.
template <CurveDimension... D>
struct Measure {
  const char* name;
  const char* unit = "1";
  const char* sentence;
  const char* definition;
  const char* null_value;
  data::Tolerance tolerance;
  std::optional<data::Tolerance> float32 = {};
  const Measure<>* tolerance_unit = nullptr;  ///< a scalar of the same cell

  data::MeasureInfo info() const {
    return {name,
            {D::dimension.name...},
            unit,
            sentence,
            definition,
            null_value,
            tolerance,
            float32,
            tolerance_unit ? tolerance_unit->name : ""};
  }
};
using Scalar = Measure<>;

/// The record of a cell, filled by handles. Throws base::Error where values do not fit their dimensions.
class Output {
 public:
  explicit Output(data::Record& record) : record_(record) {}

  template <CurveDimension D>
  // NOLINTNEXTLINE(performance-unnecessary-value-param): moved, which is seen where it is instantiated only
  void coordinate(std::vector<double> values) {
    record_.coordinate(D::dimension.name, std::move(values));
  }
  /// The same for the dimension that numbers the tokens at these positions [N, A], which the record gets too where the
  /// placement is not the plain one.
  template <CurveDimension D>
  void coordinate(const std::vector<double>& values, const data::Placement& placement,
                  base::View<const double> positions) {
    coordinate<D>(values);
    record_coordinates(record_, placement, D::dimension.name, positions);
  }
  void set(const Scalar& measure, double value) { record_.scalar(measure.name, value); }
  /// Row-major.
  template <CurveDimension... D>
  requires(sizeof...(D) > 0) void set(const Measure<D...>& measure, const std::vector<double>& values) {
    record_.curve(measure.name, {D::dimension.name...}, values);
  }
  /// For what is no measure: kept arrays, training.
  data::Record& record() { return record_; }

 private:
  data::Record& record_;
};

}  // namespace poslab::experiments
