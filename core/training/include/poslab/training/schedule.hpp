// SPDX-License-Identifier: Apache-2.0
// The learning rate of each step: it rises in a line, then falls along half a cosine.
#pragma once

#include <cstdint>

namespace poslab::training {

struct Schedule {
  std::uint64_t steps = 1;    ///< of the whole training
  std::uint64_t warm_up = 0;  ///< steps in which it rises
  double highest = 1e-3;
  double last = 0.1;  ///< share of the highest that is left at the end; 1: it does not fall
  /// The rate of step `step`, counted from 0: highest (step + 1) / (warm_up + 1) while it rises, then highest (last +
  /// (1 - last) (1 + cos(pi (step - warm_up) / (steps - warm_up))) / 2).
  double rate(std::uint64_t step) const;
};

}  // namespace poslab::training
