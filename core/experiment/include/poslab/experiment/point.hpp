// SPDX-License-Identifier: Apache-2.0
// What an answer is drawn from: the good cells of one variant at one point of the axes, which differ in their repeat.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "poslab/data/answer.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/mean_and_error.hpp"
#include "poslab/data/record.hpp"
#include "poslab/data/value.hpp"

namespace poslab::experiments {

template <class M>
concept MeasureHandle = requires(const M& measure) {
  measure.name;
  measure.null_value;
};

class Point {
 public:
  Point(const data::ExperimentInfo& of, const data::Values& at, std::vector<const data::Record*> records = {},
        bool is_untrained = false)
      : info(of), axes(at), repeats(std::move(records)), untrained(is_untrained) {}

  const data::ExperimentInfo& info;
  const data::Values& axes;  ///< every axis, inner ones as lists
  std::vector<const data::Record*> repeats;
  bool untrained = false;  ///< of weights as they are drawn

  /// The values of a measure in the repeats that have it, each row-major; empty if none has.
  std::vector<const std::vector<double>*> values(const MeasureHandle auto& measure) const {
    return values(std::string(measure.name));
  }
  bool has(const MeasureHandle auto& measure) const { return !values(measure).empty(); }
  /// A scalar, or one element of a curve (from its end if negative), over the repeats.
  data::MeanAndError mean(const MeasureHandle auto& measure, int element = 0) const {
    return mean(std::string(measure.name), element);
  }
  /// The largest and the smallest finite value of all repeats; NaN if there is none.
  double largest(const MeasureHandle auto& measure) const { return largest(std::string(measure.name)); }
  double smallest(const MeasureHandle auto& measure) const { return smallest(std::string(measure.name)); }
  /// What the measure's tolerance, that of the point's scalar type, allows around 0.
  double allowed(const MeasureHandle auto& measure, double largest_position, double length) const {
    return allowed(std::string(measure.name), largest_position, length);
  }
  /// The coordinate of a dimension in the first repeat. Throws base::Error if it has none.
  template <class D>
  const std::vector<double>& coordinate() const {
    return coordinate(D::dimension.name);
  }

 private:
  std::vector<const std::vector<double>*> values(const std::string& measure) const;
  data::MeanAndError mean(const std::string& measure, int element = 0) const;
  double largest(const std::string& measure) const;
  double smallest(const std::string& measure) const;
  double allowed(const std::string& measure, double largest_position, double length) const;
  const std::vector<double>& coordinate(const std::string& dimension) const;
};

}  // namespace poslab::experiments
