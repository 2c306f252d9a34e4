// SPDX-License-Identifier: Apache-2.0
// What a cell needs, as a worker forecasts it, and what it takes. It has nothing in common with other cells: what
// schemes share it computes by itself, and lets go of as soon as it needs it no longer.
#pragma once

#include <optional>

#include "poslab/data/cell.hpp"

namespace measured {

struct Needs {
  poslab::data::Estimate estimate;
  double peak = 0;     ///< bytes, over what there was before
  double asked = 0;    ///< numbers, of the scheme
  double seconds = 0;  ///< of the processor
};

/// Nothing where the cell is skipped.
std::optional<poslab::data::Estimate> estimate_of(const poslab::data::Cell& cell);
/// The same of what the cell takes on so many threads.
std::optional<Needs> needs(const poslab::data::Cell& cell, int threads = 1);

}  // namespace measured
