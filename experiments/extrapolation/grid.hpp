// SPDX-License-Identifier: Apache-2.0
// Beyond a grid: the same patches, but more of them along every axis, as of a larger image.
#pragma once

#include "extrapolation.hpp"

namespace poslab::experiments::extrapolation {

/// Every extent of a grid times `multiple`.
data::Placement times(const data::Placement& grid, base::Index multiple);

/// Whether the scheme serves a token in the last cell, which has the greatest coordinates.
bool serves_last_cell(const host::Scheme& scheme, const data::Placement& grid);

/// `defined`, `untrained` and `novelty` of every cell of the largest grid, in the smallest grid that holds it. S is the
/// scalar that the scheme works in.
template <class S>
void record_grid(const Extrapolation& at, const ExperimentInput& input, Output& out);

}  // namespace poslab::experiments::extrapolation
