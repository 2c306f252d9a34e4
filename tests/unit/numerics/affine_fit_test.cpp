// SPDX-License-Identifier: Apache-2.0
// Least squares with an intercept, against normal equations in long double, and against numpy.
// Dimension letters: R rows, D inputs.
#include "poslab/numerics/linear_fit.hpp"

#include <cmath>
#include <string>

#include "catch.hpp"
#include "elimination.hpp"
#include "poslab/base/error.hpp"
#include "tables.hpp"
#include "thousand.hpp"

using namespace poslab::numerics;

namespace {

// Full column rank: Z = [X, 1], Z^T Z w = Z^T y. Full row rank: the smallest map that meets the centred targets, M =
// C^T (C C^T + 1 1^T)^-1 y, C centred: 1 1^T fills the one direction that centring took.
elimination::Row naive_fit(const Array<double>& x, const Array<double>& y) {
  const Index R = x.extent(0), D = x.extent(1);
  if (R > D) return elimination::normal_equations(x, y, 0, 0);
  std::vector<long double> mean(static_cast<std::size_t>(D)), out;
  long double mean_y = 0;
  for (Index r = 0; r < R; ++r) {
    for (Index k = 0; k < D; ++k) mean[static_cast<std::size_t>(k)] += x(r, k) / static_cast<long double>(R);
    mean_y += y(r, 0) / static_cast<long double>(R);
  }
  const auto c = [&](Index r, Index k) { return x(r, k) - mean[static_cast<std::size_t>(k)]; };
  std::vector<elimination::Row> system;
  for (Index r = 0; r < R; ++r) {
    system.emplace_back();
    for (Index s = 0; s < R; ++s) {
      long double sum = 1;
      for (Index k = 0; k < D; ++k) sum += c(r, k) * c(s, k);
      system.back().push_back(sum);
    }
    system.back().push_back(y(r, 0) - mean_y);
  }
  const elimination::Row dual = elimination::solve(std::move(system));
  long double intercept = mean_y;
  for (Index k = 0; k < D; ++k) {
    long double m = 0;
    for (Index r = 0; r < R; ++r) m += c(r, k) * dual[static_cast<std::size_t>(r)];
    out.push_back(m);
    intercept -= m * mean[static_cast<std::size_t>(k)];
  }
  out.push_back(intercept);
  return out;
}

}  // namespace

TEST_CASE("least squares with an intercept agrees with normal equations in long double, 1000 small cases") {
  for (int c = 0; c < check::thousand; ++c) {
    const Index R = 2 + c % 11, D = 1 + c / 11 % 8;
    if (R == D || R == D + 1) continue;  // as often as not too near to singular for a comparison
    const std::string name = std::to_string(c);
    const Array<double> x = tables::gaussian(R, D, "x" + name), y = tables::gaussian(R, 1, "y" + name);
    const AffineFit fit = least_squares_with_intercept(x, y, 1e-14);
    const elimination::Row wanted = naive_fit(x, y);
    CAPTURE(c, R, D);
    REQUIRE(fit.rank == std::min(R - 1, D));
    for (Index k = 0; k < D; ++k)
      REQUIRE(fit.map.columns(0, k) ==
              check::Approx(static_cast<double>(wanted[static_cast<std::size_t>(k)])).epsilon(1e-9).margin(1e-9));
    REQUIRE(fit.map.intercept[0] == check::Approx(static_cast<double>(wanted.back())).epsilon(1e-9).margin(1e-9));
  }
}

TEST_CASE("least squares with an intercept: numpy's lstsq of a centred sinusoid, wide and of low rank") {
  // numpy 1.24, X = sinusoid 48 x 64, rows 0 .. 39 fitted to 0 .. 39 with rcond 1e-4, rows 40 .. 47 predicted.
  const double wanted[] = {39.998260658389086, 40.990974047433944, 41.97045718945597, 42.9239726496435,
                           43.832785229327484, 44.67185553273151,  45.4103488561545,  46.01305440443473};
  const Array<double> table = tables::sinusoid(48, 64);
  Array<double> y{40, 1};
  for (Index r = 0; r < 40; ++r) y(r, 0) = static_cast<double>(r);
  const AffineFit fit = least_squares_with_intercept(table.view().rows(0, 40), y, 1e-4);
  CHECK(fit.rank == 15);
  const Array<double> predicted = fit.map(table.view().rows(40, 8));
  for (Index r = 0; r < 8; ++r) CHECK(predicted(r, 0) == check::Approx(wanted[r]).epsilon(1e-11));
  double squares = 0;
  for (const double m : fit.map.columns.flat()) squares += m * m;
  CHECK(std::sqrt(squares) == check::Approx(11.692284183574088).epsilon(1e-11));
}

TEST_CASE("least squares with an intercept: equal columns share the slope, constant ones get none") {
  Array<double> x{5, 3}, y{5, 1};
  for (Index r = 0; r < 5; ++r) {
    x(r, 0) = x(r, 1) = static_cast<double>(r);
    x(r, 2) = 4;
    y(r, 0) = 6 * static_cast<double>(r) - 1;
  }
  const AffineFit fit = least_squares_with_intercept(x, y, 1e-14);
  CHECK(fit.rank == 1);
  CHECK(fit.map.columns(0, 0) == check::Approx(3).epsilon(1e-14));
  CHECK(fit.map.columns(0, 1) == check::Approx(3).epsilon(1e-14));
  CHECK(std::abs(fit.map.columns(0, 2)) < 1e-14);
  CHECK(fit.map.intercept[0] == check::Approx(-1).epsilon(1e-14));
}

TEST_CASE(
    "least squares with an intercept: fewer rows than inputs are met exactly, whatever rounding leaves of the last") {
  for (Index R = 2; R < 40; ++R) {
    const std::string name = std::to_string(R);
    const Array<double> x = tables::gaussian(R, 64, "x" + name), y = tables::gaussian(R, 1, "y" + name);
    const AffineFit fit = least_squares_with_intercept(x, y, 0);
    CHECK(fit.rank == R - 1);
    const Array<double> met = fit.map(x);
    for (Index r = 0; r < R; ++r) CHECK(met(r, 0) == check::Approx(y(r, 0)).margin(1e-12));
  }
}

TEST_CASE("least squares with an intercept: one row gives its target, rows that do not match are refused") {
  const Array<double> x = tables::gaussian(1, 3, "x");
  Array<double> y{1, 1};
  y(0, 0) = 5;
  const AffineFit fit = least_squares_with_intercept(x, y, 1e-14);
  CHECK(fit.rank == 0);
  CHECK(fit.map.intercept[0] == 5);
  CHECK_THROWS_WITH(least_squares_with_intercept(x, tables::gaussian(2, 1, "y"), 1e-14),
                    check::contains("1 rows") && check::contains("2 rows"));
}
