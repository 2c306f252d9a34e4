// SPDX-License-Identifier: Apache-2.0
// Logistic regression in the space of rows, against Newton's method on weights and intercept in long double.
// Dimension letters: R rows, D inputs.
#include "poslab/numerics/logistic.hpp"
#include "poslab/numerics/linear_fit.hpp"

#include <cmath>
#include <string>

#include "catch.hpp"
#include "elimination.hpp"
#include "tables.hpp"
#include "thousand.hpp"
#include "thrown.hpp"

using namespace poslab::numerics;

namespace {

using elimination::Array;
using elimination::Row;

struct Naive {
  const Array<double>& x;
  const std::vector<std::uint8_t>& labels;

  long double logit(const Row& w, Index r) const {
    long double sum = w.back();
    for (Index k = 0; k < x.extent(1); ++k) sum += w[static_cast<std::size_t>(k)] * x(r, k);
    return sum;
  }
  long double objective(const Row& w) const {
    long double sum = 0;
    for (std::size_t k = 0; k + 1 < w.size(); ++k) sum += w[k] * w[k] / 2;
    for (Index r = 0; r < x.extent(0); ++r) {
      const long double z = labels[static_cast<std::size_t>(r)] ? logit(w, r) : -logit(w, r);
      sum += z > 0 ? std::log1p(std::exp(-z)) : -z + std::log1p(std::exp(z));
    }
    return sum;
  }
  // One Newton step, as [hessian, -gradient] eliminated.
  Row step(const Row& w) const {
    const Index D = x.extent(1);
    std::vector<Row> system(w.size(), Row(w.size() + 1));
    const auto z = [&](Index r, Index k) -> long double { return k == D ? 1 : x(r, k); };
    for (Index i = 0; i <= D; ++i) {
      Row& row = system[static_cast<std::size_t>(i)];
      if (i < D) row[static_cast<std::size_t>(i)] += 1, row.back() -= w[static_cast<std::size_t>(i)];
      for (Index r = 0; r < x.extent(0); ++r) {
        const long double p = 1 / (1 + std::exp(-logit(w, r)));
        row.back() -= (p - labels[static_cast<std::size_t>(r)]) * z(r, i);
        for (Index j = 0; j <= D; ++j) row[static_cast<std::size_t>(j)] += p * (1 - p) * z(r, i) * z(r, j);
      }
    }
    return elimination::solve(std::move(system));
  }
  Row fit() const {
    Row w(static_cast<std::size_t>(x.extent(1)) + 1);
    for (int round = 0; round < 100; ++round) {
      const Row way = step(w);
      Row next = w;
      for (long double size = 1; size > 1e-9L; size /= 2) {
        for (std::size_t k = 0; k < w.size(); ++k) next[k] = w[k] + size * way[k];
        if (objective(next) < objective(w)) break;
        next = w;
      }
      if (next == w) break;
      w = next;
    }
    return w;
  }
};

Array<double> products_of_rows(const Array<double>& a, const Array<double>& b) {
  Array<double> out{a.extent(0), b.extent(0)};
  for (Index i = 0; i < a.extent(0); ++i)
    for (Index j = 0; j < b.extent(0); ++j)
      for (Index k = 0; k < a.extent(1); ++k) out(i, j) += a(i, k) * b(j, k);
  return out;
}

}  // namespace

TEST_CASE("logistic regression agrees with Newton's method in long double, 1000 small cases, some separable") {
  for (int c = 0; c < check::thousand; ++c) {
    const Index R = 2 + c % 9, D = 1 + c / 9 % 5;
    const std::string name = std::to_string(c);
    Array<double> x = tables::gaussian(R, D, "x" + name);
    const Array<double> noise = tables::gaussian(R, 1, "labels" + name);
    const double size = std::pow(10.0, c % 4 - 2);  // to 10: where classes are separable, far out
    for (double& entry : x.flat()) entry *= size;
    std::vector<std::uint8_t> labels;
    for (Index r = 0; r < R; ++r) labels.push_back(x(r, 0) / size + noise(r, 0) > 0);
    labels[0] = 0, labels[1] = 1;
    const LogisticFit fit = logistic_regression(products_of_rows(x, x), labels);
    const Naive naive{x, labels};
    const Row wanted = naive.fit();
    const double least = static_cast<double>(naive.objective(wanted));
    CAPTURE(c, R, D, size, fit.excess);
    REQUIRE(fit.excess <= 1e-12);
    REQUIRE(std::abs(fit.objective - least) <= fit.excess + 1e-12);
    for (Index k = 0; k < D; ++k) {
      double w = 0;
      for (Index r = 0; r < R; ++r) w += fit.weights[static_cast<std::size_t>(r)] * x(r, k);
      REQUIRE(std::abs(w - static_cast<double>(wanted[static_cast<std::size_t>(k)])) <= 2e-6);  // sqrt(2 excess)
    }
  }
}

TEST_CASE("logistic regression of inputs that say nothing: the intercept has the odds, the weights are 0") {
  const Array<double> nothing{5, 5};
  const LogisticFit fit = logistic_regression(nothing, std::vector<std::uint8_t>{1, 0, 1, 1, 0});
  CHECK(fit.intercept == check::Approx(std::log(3.0 / 2.0)).epsilon(1e-14));
  CHECK(fit.objective == check::Approx(-3 * std::log(0.6) - 2 * std::log(0.4)).epsilon(1e-14));
}

TEST_CASE("logistic regression: two rows at -x and x have a closed condition, w = 2 x / (1 + exp(w x))") {
  for (const double x : {0.1, 1.0, 30.0, 1e3, 1e6}) {
    const Array<double> rows = [&] {
      Array<double> out{2, 1};
      out(0, 0) = -x, out(1, 0) = x;
      return out;
    }();
    const LogisticFit fit = logistic_regression(products_of_rows(rows, rows), std::vector<std::uint8_t>{0, 1});
    const double w = x * (fit.weights[1] - fit.weights[0]);
    CAPTURE(x);
    double low = 0, high = 2 * x;
    for (int round = 0; round < 200; ++round) {
      const double middle = (low + high) / 2;
      (middle * (1 + std::exp(middle * x)) < 2 * x ? low : high) = middle;
    }
    CHECK(std::abs(fit.intercept) < 1e-9);
    CHECK(fit.excess <= 1e-12);
    CHECK(std::abs(w - low) < 2e-6);  // sqrt(2 excess)
  }
}

TEST_CASE("logistic regression refuses one class, sizes that do not match, and what rounding cannot reach") {
  const Array<double> x = tables::gaussian(3, 3, "x"), products = products_of_rows(x, x);
  CHECK(check::thrown([&] {
          static_cast<void>(logistic_regression(products, std::vector<std::uint8_t>{1, 1, 1}));
        }).kind == check::Kind::numeric);
  CHECK_THROWS_WITH(logistic_regression(products, std::vector<std::uint8_t>{0, 0, 0}),
                    check::contains("all 3 rows") && check::contains("label 0"));
  {
    const poslab::base::Error error = check::thrown([&] {
      logistic_regression(products, std::vector<std::uint8_t>{0, 1});
    });
    CHECK(error.kind == check::Kind::internal);
    CHECK_THAT(error.what(), check::contains("3 rows"));
    CHECK_THAT(error.what(), check::contains("2 rows"));
  }
  Array<double> huge = products_of_rows(x, x);
  for (double& entry : huge.flat()) entry *= 1e60;
  CHECK(check::thrown([&] {
          static_cast<void>(logistic_regression(huge, std::vector<std::uint8_t>{0, 1, 0}));
        }).kind == check::Kind::numeric);
  huge(0, 0) = INFINITY;
  CHECK(check::thrown([&] {
          static_cast<void>(logistic_regression(huge, std::vector<std::uint8_t>{0, 1, 0}));
        }).kind == check::Kind::numeric);
}
