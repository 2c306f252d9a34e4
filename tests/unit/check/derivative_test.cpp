// SPDX-License-Identifier: Apache-2.0
// Slopes of functions that can be differentiated in one's head, smooth and with kinks.
#include "gradients/gradients.hpp"

#include <cmath>

#include "catch.hpp"

using poslab::check::slopes;
using poslab::check::why_not_slope;

TEST_CASE("slopes of a smooth function agree from all sides") {
  const auto found = slopes([](double t) { return std::sin(1 + t); }, 0x1p-10);
  CHECK(std::abs(found.middle - std::cos(1.0)) < 1e-11);
  CHECK(std::abs(found.left - std::cos(1.0)) < 1e-6);
  CHECK(std::abs(found.right - std::cos(1.0)) < 1e-6);
}

TEST_CASE("a right slope stands, and one that is off by a hundred thousandth falls") {
  const auto f = [](double t) { return std::exp(2 * (t + 0.3)); };
  const double slope = 2 * std::exp(0.6);
  CHECK_FALSE(why_not_slope(f, {slope, slope, 1}));
  CHECK(why_not_slope(f, {slope * (1 + 1e-5), slope, 1}));
  CHECK(why_not_slope(f, {0, slope, 1}));
  CHECK(why_not_slope(f, {NAN, slope, 1}));
}

TEST_CASE("at a kink, every slope between those of both sides stands") {
  const auto ramp = [](double t) { return t > 0 ? 3 * t : 0.0; };
  for (const double slope : {0.0, 1.0, 3.0}) CHECK_FALSE(why_not_slope(ramp, {slope, 3, 1}));
  for (const double slope : {-0.1, 3.1}) CHECK(why_not_slope(ramp, {slope, 3, 1}));
  CHECK_FALSE(why_not_slope(ramp, {-0.1, 3, 1, false}));  // along many numbers: nothing can be said
}

TEST_CASE("a kink beside the point is stepped under") {
  const auto f = [](double t) { return t > 1e-4 ? 5 * (t - 1e-4) : 0.0; };
  CHECK_FALSE(why_not_slope(f, {0, 1, 1}));
  CHECK(why_not_slope(f, {2.5, 1, 1}));
}

TEST_CASE("a function that turns faster than the steps is looked at more closely") {
  const double fast = 1e8;
  const auto f = [&](double t) { return std::sin(fast * t); };
  CHECK_FALSE(why_not_slope(f, {fast, fast, 1}));
  CHECK(why_not_slope(f, {fast / 2, fast, 1}));
}
