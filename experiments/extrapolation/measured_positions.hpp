// SPDX-License-Identifier: Apache-2.0
// Which positions are measured, and in which context each one.
// Dimension letters: L trained length, P measured positions.
#pragma once

#include <vector>

#include "extrapolation.hpp"

namespace poslab::experiments::extrapolation {

using base::Array;
using base::View;

/// A position, and the context that it is measured in: the shortest multiple of L, among the wanted ones, that holds
/// it.
struct MeasuredPosition {
  Index position = 0, context_length = 0;
  bool defined = true;  ///< whether the scheme serves the position
};

/// Every (L / points)-th position, at least every one, up to the longest context, and the last one of each context:
/// ascending.
std::vector<MeasuredPosition> measured_positions(const Extrapolation& at, const host::Scheme& scheme);

/// Those of one context that the scheme serves, as indices into `measured`.
std::vector<std::size_t> defined_in(const std::vector<MeasuredPosition>& measured, Index context_length);

/// The distinct context lengths of the defined positions, ascending.
std::vector<Index> contexts(const std::vector<MeasuredPosition>& measured);

/// How many of the positions 0 .. length - 1 the scheme serves.
Index served(const host::Scheme& scheme, Index length);

}  // namespace poslab::experiments::extrapolation
