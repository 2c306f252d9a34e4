// SPDX-License-Identifier: Apache-2.0
// Numbers that make a difference smallest: Gauss-Newton with derivatives by difference, each step halved until it
// helps.
#pragma once

#include <functional>
#include <vector>

namespace poslab::identify {

/// Residuals at x; empty where x is not allowed.
using Residuals = std::function<std::vector<double>(const std::vector<double>& x)>;

struct Descent {
  std::vector<double> x;
  double sum_of_squares = 0;  ///< infinite where even the start is not allowed
};

/// At most `max_steps` from `start`; `difference` is what each number is moved by for its derivative, relative to its
/// size where that is above 1.
Descent descend(const Residuals& residuals, std::vector<double> start, int max_steps, double difference = 1e-6);

}  // namespace poslab::identify
