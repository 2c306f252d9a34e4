// SPDX-License-Identifier: Apache-2.0
#include "poslab/training/schedule.hpp"

#include <cmath>
#include <numbers>

namespace poslab::training {

double Schedule::rate(std::uint64_t step) const {
  if (step < warm_up) return highest * static_cast<double>(step + 1) / static_cast<double>(warm_up + 1);
  if (step >= steps) return highest * last;
  const double way = static_cast<double>(step - warm_up) / static_cast<double>(steps - warm_up);
  return highest * (last + (1 - last) * 0.5 * (1 + std::cos(std::numbers::pi * way)));
}

}  // namespace poslab::training
