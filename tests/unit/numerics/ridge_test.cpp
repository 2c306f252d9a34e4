// SPDX-License-Identifier: Apache-2.0
// Ridge regression against the normal equations of map and intercept together, eliminated in long double.
// Dimension letters: R rows, D inputs, E targets.
#include "poslab/numerics/linear_fit.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "catch.hpp"
#include "elimination.hpp"
#include "tables.hpp"
#include "thousand.hpp"
#include "thrown.hpp"

using namespace poslab::numerics;

TEST_CASE("ridge agrees with its normal equations in long double, 1000 small cases, tall, square and wide") {
  for (int c = 0; c < check::thousand; ++c) {
    const Index R = 1 + c % 9, D = 1 + c / 9 % 7, E = 1 + c % 3;
    const double penalty = std::pow(10.0, c % 5 - 3);
    const Array<double> x = tables::gaussian(R, D, "x" + std::to_string(c)),
                        y = tables::gaussian(R, E, "y" + std::to_string(c));
    const AffineMap fit = ridge(x, y, penalty);
    for (Index e = 0; e < E; ++e) {
      const elimination::Row wanted = elimination::normal_equations(x, y, e, penalty);
      CAPTURE(c, R, D, e, penalty);
      for (Index k = 0; k < D; ++k)
        REQUIRE(std::abs(fit.columns(e, k) - static_cast<double>(wanted[static_cast<std::size_t>(k)])) < 1e-10);
      REQUIRE(std::abs(fit.intercept[static_cast<std::size_t>(e)] - static_cast<double>(wanted.back())) < 1e-10);
    }
  }
}

TEST_CASE("ridge: one input has a closed form, slope = Sxy / (Sxx + penalty)") {
  Array<double> x{3, 1}, y{3, 1};
  for (Index r = 0; r < 3; ++r) x(r, 0) = static_cast<double>(r), y(r, 0) = 10 + 3 * static_cast<double>(r);
  const AffineMap fit = ridge(x, y, 1.0);  // Sxx = 2, Sxy = 6
  CHECK(fit.columns(0, 0) == check::Approx(2).epsilon(1e-15));
  CHECK(fit.intercept[0] == check::Approx(11).epsilon(1e-15));
  const Array<double> predicted = fit(x);
  CHECK(predicted(2, 0) == check::Approx(15).epsilon(1e-15));
}

TEST_CASE("ridge: constant inputs give the mean of the targets") {
  Array<double> x{4, 2}, y{4, 1};
  x.fill(7);
  for (Index r = 0; r < 4; ++r) y(r, 0) = static_cast<double>(r);
  const AffineMap fit = ridge(x, y, 1e-3);
  CHECK(fit.columns(0, 0) == 0);
  CHECK(fit.intercept[0] == 1.5);
}

TEST_CASE("ridge refuses penalties that rounding swallows, and rows that do not match") {
  const Array<double> x = tables::gaussian(20, 3, "x"), y = tables::gaussian(20, 1, "y");
  CHECK(check::thrown([&] { static_cast<void>(ridge(x, y, 0)); }).kind == check::Kind::numeric);
  CHECK_THROWS_WITH(ridge(x, y, -1), check::contains("penalty -1"));
  CHECK_THROWS_WITH(ridge(x, y, 1e-30), check::contains("1e-30") && check::contains("at least"));
  CHECK(check::thrown([&] { static_cast<void>(ridge(x, y, std::numeric_limits<double>::quiet_NaN())); }).kind ==
        check::Kind::numeric);
  CHECK_THROWS_WITH(ridge(x, tables::gaussian(19, 1, "y"), 1),
                    check::contains("20 rows") && check::contains("19 rows"));
}
