// SPDX-License-Identifier: Apache-2.0
// Whether the mean logit falls with distance, for each kind of contents, as far as the repeats of a point can say.
#pragma once

#include <string>
#include <vector>

#include "poslab/experiments/point.hpp"

namespace poslab::experiments::distance_profile {

/// The fall with 3 standard errors on both sides, or all of 8 repeats or more, lies above 0.1 sd, below -0.1 sd; the
/// former between; or none of these.
enum class Trend { falls, rises, flat, unclear, undefined };

struct Finding {
  std::string contents;  ///< "random", "equal", "all-ones"
  Trend trend;
  data::MeanAndError fall;
  bool at_every_step;  ///< no step rises by more than rounding and, of 5 repeats or more, 5 standard errors
};

/// One for each kind of contents.
std::vector<Finding> findings(const Point& point);

}  // namespace poslab::experiments::distance_profile
