// SPDX-License-Identifier: Apache-2.0
// The distance of two rows, in one fixed order of additions.
#include "squared_distance.hpp"

#include <limits>

#include "poslab/numerics/closest_pair.hpp"

namespace poslab::numerics {

template <class S>
double squared_distance(const S* x, const S* y, Index width) {
  return squared_distance_below(x, y, width, std::numeric_limits<double>::infinity());
}

template double squared_distance(const double*, const double*, Index);
template double squared_distance(const float*, const float*, Index);

}  // namespace poslab::numerics
