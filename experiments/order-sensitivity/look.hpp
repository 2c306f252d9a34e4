// SPDX-License-Identifier: Apache-2.0
// One content in many orders, through one stack.
#pragma once

#include <vector>

#include "orders.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::order_sensitivity {

bool is_causal(const data::Values& axes);
/// Whether the scheme serves all positions after the shift.
bool can_shift(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement);

struct Curves {
  std::vector<double> prefix, equivariance, shift, told_apart, least;  // of the depths
  std::vector<double> swap;                                            // of the distances
};

template <class S>
Curves look(const ExperimentInput& input);

}  // namespace poslab::experiments::order_sensitivity
