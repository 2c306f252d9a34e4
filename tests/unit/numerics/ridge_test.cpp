// SPDX-License-Identifier: Apache-2.0
// Ridge regression against the normal equations of map and intercept together, eliminated in long double.
// Dimension letters: R rows, D inputs, E targets.
#include "poslab/numerics/ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "tables.hpp"

using namespace poslab::numerics;

namespace {

using Row = std::vector<long double>;

// A x = b by Gauss with row pivots; b is the last column.
Row eliminated(std::vector<Row> a) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[k][k])) std::swap(a[i], a[k]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const long double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  Row x;
  for (std::size_t k = 0; k < n; ++k) x.push_back(a[k][n] / a[k][k]);
  return x;
}

// The D entries of the map and the intercept for target e: Z = [X, 1], (Z^T Z + penalty diag(1 .. 1, 0)) w = Z^T y.
Row naive(const Array<double>& x, const Array<double>& y, Index e, double penalty) {
  const Index R = x.extent(0), D = x.extent(1);
  std::vector<Row> system(static_cast<std::size_t>(D) + 1, Row(static_cast<std::size_t>(D) + 2));
  const auto z = [&](Index r, Index k) -> long double { return k == D ? 1 : x(r, k); };
  for (Index i = 0; i <= D; ++i) {
    Row& row = system[static_cast<std::size_t>(i)];
    for (Index r = 0; r < R; ++r) {
      for (Index j = 0; j <= D; ++j) row[static_cast<std::size_t>(j)] += z(r, i) * z(r, j);
      row[static_cast<std::size_t>(D) + 1] += z(r, i) * y(r, e);
    }
    if (i < D) row[static_cast<std::size_t>(i)] += penalty;
  }
  return eliminated(std::move(system));
}

}  // namespace

TEST_CASE("ridge agrees with its normal equations in long double, 1000 small cases, tall, square and wide") {
  for (int c = 0; c < 1000; ++c) {
    const Index R = 1 + c % 9, D = 1 + c / 9 % 7, E = 1 + c % 3;
    const double penalty = std::pow(10.0, c % 5 - 3);
    const Array<double> x = tables::gaussian(R, D, "x" + std::to_string(c)),
                        y = tables::gaussian(R, E, "y" + std::to_string(c));
    const AffineMap fit = ridge(x, y, penalty);
    for (Index e = 0; e < E; ++e) {
      const Row wanted = naive(x, y, e, penalty);
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
  CHECK_THROWS_AS(ridge(x, y, 0), PenaltyTooSmall);
  CHECK_THROWS_WITH(ridge(x, y, -1), check::contains("penalty -1"));
  CHECK_THROWS_WITH(ridge(x, y, 1e-30), check::contains("1e-30") && check::contains("at least"));
  CHECK_THROWS_AS(ridge(x, y, std::numeric_limits<double>::quiet_NaN()), PenaltyTooSmall);
  CHECK_THROWS_WITH(ridge(x, tables::gaussian(19, 1, "y"), 1),
                    check::contains("20 rows") && check::contains("19 rows"));
}
