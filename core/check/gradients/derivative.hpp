// SPDX-License-Identifier: Apache-2.0
// Whether a number is the slope of a function at 0: by central differences where it is smooth, between the one-sided
// slopes where it has a kink.
#pragma once

#include <functional>
#include <string>

namespace poslab::check {

struct Slopes {
  double left = 0, right = 0, middle = 0;
};
/// One-sided slopes of second order and the central one of fourth order, from f at 0, +-step and +-2 step.
Slopes slopes(const std::function<double(double)>& f, double step);

struct SlopeTest {
  double claimed = 0;    ///< by the gradient
  double scale = 0;      ///< what `relative` is relative to
  double magnitude = 0;  ///< of the terms that f sums: their rounding is allowed for
  bool single = true;    ///< along one number; else along many at once, where the kinks of some may mix
  double relative = 1e-6;
};
/// Empty if `claimed` is the slope at 0; else the numbers that contradict it. Across a kink along many numbers at
/// once nothing can be said: there the sum of allowed slopes need not lie between the one-sided ones.
std::string why_not_slope(const std::function<double(double)>& f, const SlopeTest& test);

}  // namespace poslab::check
