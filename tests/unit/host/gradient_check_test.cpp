// SPDX-License-Identifier: Apache-2.0
// The comparison of gradients that the tests of schemes use notices what is wrong, however small it is.
#include "scheme_check.hpp"

using check::Array;

namespace {

constexpr double slope = 1e-6;

// A loss of two parts: one with a small slope, and one of size 1 that x has no part in.
bool passes(double claimed) {
  Array<double> x({1}), gradient({1});
  x(0) = 0.3, gradient(0) = claimed;
  return check::is_gradient_or_rounding([&] { return 1 + slope * x(0); }, x, gradient, 1 + slope);
}

}  // namespace

TEST_CASE("gradient check: a small gradient is looked at") {
  CHECK(passes(slope));
  CHECK_FALSE(passes(1.001 * slope));
  CHECK_FALSE(passes(-slope));
  CHECK_FALSE(passes(0));
  CHECK_FALSE(passes(NAN));
}

TEST_CASE("gradient check: an input without effect has no gradient") {
  Array<double> x({1}), gradient({1});
  const auto loss = [] { return 1.0; };
  CHECK(check::is_gradient_or_rounding(loss, x, gradient, 1));
  CHECK_FALSE(check::is_gradient(loss, x, gradient));
  gradient(0) = 1e-9;
  CHECK_FALSE(check::is_gradient_or_rounding(loss, x, gradient, 1));
}
