// SPDX-License-Identifier: Apache-2.0
// What a cell of cost does so that it can be timed by whoever performs it. Nothing of it reaches a result.
#pragma once

#include "cost.hpp"

namespace poslab::experiments::cost {

/// Makes the contents, and does `times` times what is timed.
template <class S>
void work(const Cost& at, const ExperimentInput& input);

}  // namespace poslab::experiments::cost
