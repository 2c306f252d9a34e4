// SPDX-License-Identifier: Apache-2.0
// What a cell of cost does so that it can be timed by whoever performs it. Nothing of it reaches a result.
#pragma once

#include "counts.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::cost {

/// Makes the contents, and does `times` times what the axis `timed` says.
template <class S>
void work(const ExperimentInput& input, const Size& size);

}  // namespace poslab::experiments::cost
