// SPDX-License-Identifier: Apache-2.0
// One content in many orders, through one stack.
#pragma once

#include <vector>

#include "order-sensitivity.hpp"
#include "orders.hpp"

namespace poslab::experiments::order_sensitivity {

struct Curves {
  std::vector<double> prefix, equivariance, shift, told_apart, least;  // of the depths
  std::vector<double> swap;                                            // of the distances
};

template <class S>
Curves look(const OrderSensitivity& at, const ExperimentInput& input);

}  // namespace poslab::experiments::order_sensitivity
