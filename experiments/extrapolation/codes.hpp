// SPDX-License-Identifier: Apache-2.0
// The signatures that training shows, and those of the measured positions.
// Dimension letters: L trained length, P measured positions, W width of a signature.
#pragma once

#include <vector>

#include "measured_positions.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::extrapolation {

struct Codes {
  Array<double> trained;  ///< [L, W], in the context of length L
  Array<double> tested;   ///< [defined positions, W], each in its own context, in order
};

/// Position signatures, or offset signatures (offset r for position r), whichever the scheme works with. S is the
/// scalar that the scheme works in.
template <class S>
Codes draw_codes(const ExperimentInput& input, const std::vector<MeasuredPosition>& measured);

}  // namespace poslab::experiments::extrapolation
