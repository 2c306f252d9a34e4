// SPDX-License-Identifier: Apache-2.0
// One content in many orders, through one stack.
#pragma once

#include <vector>

#include "orders.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::order_sensitivity {

/// A list of an axis, sorted, each value once.
std::vector<double> values_rising(const data::Values& axes, const char* name);
Index layers_of(const data::Values& axes);
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
