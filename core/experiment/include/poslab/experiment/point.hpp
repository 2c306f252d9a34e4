// SPDX-License-Identifier: Apache-2.0
// What an answer is drawn from: the good cells of one variant at one point of the axes, which differ in their repeat.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/answer.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/mean_and_error.hpp"
#include "poslab/data/record.hpp"
#include "poslab/data/value.hpp"

namespace poslab::experiments {

struct Point {
  const data::ExperimentInfo& info;
  const data::Values& axes;  ///< every axis, inner ones as lists
  std::vector<const data::Record*> repeats;
  bool untrained = false;  ///< of weights as they are drawn

  /// The values of a measure in the repeats that have it, each row-major; empty if none has.
  std::vector<const std::vector<double>*> values(const std::string& measure) const;
  /// A scalar, or one element of a curve (from its end if negative), over the repeats.
  data::MeanAndError mean(const std::string& measure, int element = 0) const;
  /// The largest and the smallest finite value of all repeats; NaN if there is none.
  double largest(const std::string& measure) const;
  double smallest(const std::string& measure) const;
  /// What the measure's tolerance, that of the point's scalar type, allows around 0.
  double allowed(const std::string& measure, double largest_position, double length) const;
};

}  // namespace poslab::experiments
