// SPDX-License-Identifier: Apache-2.0
// The signatures that training shows, and those of the places beyond.
// Dimension letters: L trained length, P places, W width of a signature.
#pragma once

#include <vector>

#include "places.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::extrapolation {

struct Codes {
  Array<double> trained;  ///< [L, W], in the context of length L
  Array<double> tested;   ///< [defined places, W], each in its own context, in order
};

/// Position signatures, or offset signatures (offset r at place r), whichever the scheme works with. S is the scalar
/// that the scheme works in.
template <class S>
Codes draw_codes(const Trial& trial, const std::vector<Place>& places);

}  // namespace poslab::experiments::extrapolation
