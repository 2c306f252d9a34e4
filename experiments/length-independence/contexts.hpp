// SPDX-License-Identifier: Apache-2.0
// The codes of the same positions, or offsets, in contexts of several lengths.
// Dimension letters: N length that was trained, T length of another context, W width of a code.
#pragma once

#include <vector>

#include "length-independence.hpp"

namespace poslab::experiments::length_independence {

using base::Array;

/// What another context does to the codes of the N positions. Of offsets, what is the same for all keys of a query is
/// not counted, since softmax cancels it.
struct Change {
  std::vector<double> moved;  ///< [min(N, T)]: |phi_T(p) - phi_N(p)|
  double largest() const;
  double root_mean_square() const;
};

struct Changes {
  double norm = 0;                    ///< rms of |phi_N(p)|
  std::vector<Change> by_context;     ///< one for each T
  std::vector<double> at_same_place;  ///< of offsets, one for each T: the largest; NaN where T < N. Else empty
  std::vector<Change> odd;            ///< one for each of odd_lengths
};

template <class S>
Changes changes(const LengthIndependence& at, const ExperimentInput& input);

}  // namespace poslab::experiments::length_independence
