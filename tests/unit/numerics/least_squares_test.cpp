// SPDX-License-Identifier: Apache-2.0
// Least squares: what can be met is met, what cannot is left at right angles, and of many maps the smallest is taken.
#include "poslab/numerics/linear_fit.hpp"

#include <cmath>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "tables.hpp"
#include "thrown.hpp"

using namespace poslab::numerics;

namespace {

Array<double> product(const Array<double>& a, const Array<double>& b) {
  Array<double> out{a.extent(0), b.extent(1)};
  for (Index i = 0; i < a.extent(0); ++i)
    for (Index j = 0; j < b.extent(1); ++j)
      for (Index k = 0; k < a.extent(1); ++k) out(i, j) += a(i, k) * b(k, j);
  return out;
}

double largest_difference(const Array<double>& a, const Array<double>& b) {
  double worst = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a.data()[i] - b.data()[i]);
    if (std::isnan(difference)) return difference;  // no check passes with it
    worst = std::max(worst, difference);
  }
  return worst;
}

}  // namespace

TEST_CASE("least squares finds the map that made the targets") {
  const Array<double> inputs = tables::gaussian(40, 9, "inputs"), map = tables::gaussian(9, 4, "map");
  const Array<double> targets = product(inputs, map);
  const LeastSquares fit(inputs, 1e-12);
  CHECK(fit.rank() == 9);
  const Array<double> found = fit.solve(targets);
  CHECK(largest_difference(found, map) < 1e-13);
  CHECK(relative_residual(inputs, found, targets) < 1e-14);
}

TEST_CASE("least squares leaves a residual at right angles to the inputs (normal equations)") {
  const Array<double> inputs = tables::gaussian(30, 6, "inputs"), targets = tables::gaussian(30, 3, "targets");
  const Array<double> fitted = product(inputs, LeastSquares(inputs, 1e-12).solve(targets));
  for (Index k = 0; k < 6; ++k)
    for (Index e = 0; e < 3; ++e) {
      double dot = 0;
      for (Index r = 0; r < 30; ++r) dot += inputs(r, k) * (targets(r, e) - fitted(r, e));
      CHECK(std::abs(dot) < 1e-12);
    }
}

TEST_CASE("least squares of minimum norm: equal columns share the weight, empty ones get none") {
  Array<double> inputs{20, 4};
  const Array<double> x = tables::gaussian(20, 1, "x");
  for (Index r = 0; r < 20; ++r)
    for (const Index column : {0, 1, 3}) inputs(r, column) = x(r, 0);
  const LeastSquares fit(inputs, 1e-12);
  CHECK(fit.rank() == 1);
  const Array<double> map = fit.solve(x);
  for (const Index column : {0, 1, 3}) CHECK(map(column, 0) == check::Approx(1.0 / 3).epsilon(1e-13));
  CHECK(std::abs(map(2, 0)) < 1e-15);
}

TEST_CASE("least squares with fewer rows than inputs meets every target") {
  const Array<double> inputs = tables::gaussian(5, 12, "inputs"), targets = tables::gaussian(5, 2, "targets");
  CHECK(relative_residual(inputs, LeastSquares(inputs, 1e-12).solve(targets), targets) < 1e-13);
}

TEST_CASE("least squares: directions below rcond count as nothing") {
  Array<double> inputs{3, 2};
  inputs(0, 0) = 1;
  inputs(1, 1) = 1e-8;
  Array<double> targets{3, 1};
  targets(0, 0) = targets(1, 0) = 1;
  const LeastSquares all(inputs, 1e-12), large(inputs, 1e-6);
  CHECK(all.rank() == 2);
  CHECK(all.solve(targets)(1, 0) == check::Approx(1e8));
  CHECK(large.rank() == 1);
  CHECK(large.solve(targets)(1, 0) == 0);
}

TEST_CASE("least squares: nothing in, nothing asked, and a mismatch") {
  const Array<double> zeros{4, 2}, targets{4, 3}, short_targets{3, 3};
  const LeastSquares fit(zeros, 1e-12);
  CHECK(fit.rank() == 0);
  const Array<double> map = fit.solve(targets);
  CHECK(relative_residual(zeros, map, targets) == 0);
  CHECK(check::thrown([&] { static_cast<void>(fit.solve(short_targets)); }).kind == check::Kind::internal);
  CHECK_THROWS_WITH(fit.solve(short_targets), check::contains("4 rows") && check::contains("3 rows"));
}
