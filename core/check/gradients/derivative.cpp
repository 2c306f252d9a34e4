// SPDX-License-Identifier: Apache-2.0
#include "gradients/gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace poslab::check {

Slopes slopes(const std::function<double(double)>& f, double step) {
  const double at = f(0), up = f(step), up2 = f(2 * step), down = f(-step), down2 = f(-2 * step);
  return {(3 * at - 4 * down + down2) / (2 * step), (-3 * at + 4 * up - up2) / (2 * step),
          (8 * (up - down) - (up2 - down2)) / (12 * step)};
}

std::string why_not_slope(const std::function<double(double)>& f, const SlopeTest& test) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Slopes last;
  double most = 0;
  // A smaller step gets between the point and a kink beside it, but the rounding of f weighs more. Powers of two, so
  // that x + step is exact; smaller ones where f would change by more than it is large.
  const double reach = test.magnitude / std::max(std::abs(test.claimed), test.scale);
  const double shrink = reach > 0 && reach < 1 ? std::exp2(std::floor(std::log2(reach))) : 1;
  for (const double steps : {0x1p-10, 0x1p-13, 0x1p-17, 0x1p-20}) {
    const double step = steps * shrink;
    last = slopes(f, step);
    most = test.relative * std::max({test.scale, std::abs(last.middle), std::abs(test.claimed)}) +
           8 * epsilon * test.magnitude / step;
    if (std::abs(test.claimed - last.middle) <= most) return "";
  }
  const double low = std::min(last.left, last.right), high = std::max(last.left, last.right);
  const bool is_kink = high - low > 100 * most;
  if (is_kink && !test.single) return "";
  if (is_kink && test.claimed >= low - most && test.claimed <= high + most) return "";
  if (is_kink)
    return fmt::format("{:.9g}, but the slopes beside the kink there are {:.9g} and {:.9g}", test.claimed, last.left,
                       last.right);
  return fmt::format("{:.9g}, but the central difference is {:.9g}", test.claimed, last.middle);
}

}  // namespace poslab::check
