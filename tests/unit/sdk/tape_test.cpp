// SPDX-License-Identifier: Apache-2.0
// Every function of a Variable: its value is that of the double, its derivative that of central differences.
#include <functional>

#include "catch.hpp"
#include "poslab/scheme.hpp"

namespace {

using namespace poslab;

/// The derivatives of f at (x, y), from the tape.
template <class F>
std::pair<double, double> gradient(F f, double x, double y) {
  sdk::Tape tape;
  const Variable result = f(tape.leaf(x, 0, 0), tape.leaf(y, 0, 1));
  CHECK(result.value() == check::Approx(f(x, y)).epsilon(1e-15));
  tape.seed(result, 1);
  double by[2] = {0, 0};
  tape.sweep([&](int, Index offset, double g) { by[offset] += g; });
  return {by[0], by[1]};
}

template <class F>
void check_at(F f, double x, double y = 0.7) {
  CAPTURE(x, y);
  const double h = 1e-6;
  const auto [by_x, by_y] = gradient(f, x, y);
  CHECK(by_x == check::Approx((f(x + h, y) - f(x - h, y)) / (2 * h)).epsilon(1e-8).margin(1e-9));
  CHECK(by_y == check::Approx((f(x, y + h) - f(x, y - h)) / (2 * h)).epsilon(1e-8).margin(1e-9));
}

}  // namespace

TEST_CASE("the tape derives what it records") {
  const double x = GENERATE(0.3, 1.7, 2.9);
  check_at([](auto a, auto b) { return a + b; }, x);
  check_at([](auto a, auto b) { return a - b; }, x);
  check_at([](auto a, auto b) { return a * b; }, x);
  check_at([](auto a, auto b) { return a / b; }, x);
  check_at([](auto a, auto b) { return -a * 3 + 2.0 / b - 1; }, x);
  check_at([](auto a, auto b) { return exp(a) * exp2(b); }, x);
  check_at([](auto a, auto b) { return expm1(a) + log(b); }, x);
  check_at([](auto a, auto b) { return log1p(a) * log2(b); }, x);
  check_at([](auto a, auto b) { return sqrt(a) * tanh(b); }, x);
  check_at([](auto a, auto b) { return sin(a) + cos(a) * erf(b); }, x);
  check_at([](auto a, auto b) { return abs(b - a) + floor(a + 0.5); }, x);
  check_at([](auto a, auto b) { return pow(a, b) + pow(a, 3) + pow(2.0, b); }, x);
  check_at([](auto a, auto b) { return a > b ? a * a : b; }, x);
  check_at(
      [](auto a, auto b) {
        auto sum = a;
        sum += b, sum *= a, sum -= 1, sum /= b;
        return sum;
      },
      x);
}

TEST_CASE("the tape adds up all uses of a number") {
  check_at([](auto a, auto b) { return a * a * a + a * b - a; }, 1.5);
  check_at(
      [](auto a, auto) {
        auto sum = a * 0;
        for (int i = 0; i < 5; ++i) sum = sum * a + 1;
        return sum;
      },
      0.8);
}

TEST_CASE("constants, positions and comparisons leave no trace") {
  const double number = 2;
  const Point point(&number, 1);
  sdk::Tape tape;
  const Variable x = tape.leaf(3, 0, 0);
  CHECK((x * point).value() == 6);
  CHECK((point - x).value() == -1);
  CHECK(x > point);
  CHECK(x >= 3);
  CHECK(3 == x);
  CHECK(std::max(x, Variable(1)).value() == 3);
  CHECK(value_of(x) + value_of(1.5F) == 4.5);
  tape.seed(Variable(5) * 2, 1);
  bool reached = false;
  tape.sweep([&](int, Index, double g) { reached = g != 0; });
  CHECK_FALSE(reached);
}

TEST_CASE("a tape can be used again after its sweep") {
  sdk::Tape tape;
  for (int round = 0; round < 3; ++round) {
    const Variable x = tape.leaf(2, 7, 11);
    tape.seed(x * x, 0.5);
    int leaves = 0;
    tape.sweep([&](int array, Index offset, double g) {
      ++leaves;
      CHECK(array == 7);
      CHECK(offset == 11);
      CHECK(g == 2);
    });
    CHECK(leaves == 1);
  }
}

TEST_CASE("dot and add_scaled are sums over rows, for any scalar") {
  const std::size_t count = GENERATE(0, 1, 15, 16, 17, 40);
  std::vector<double> a(count), b(count), c(count, 1);
  double expected = 0;
  for (std::size_t k = 0; k < count; ++k) {
    a[k] = static_cast<double>(k) - 3, b[k] = 2 * static_cast<double>(k) + 1;
    expected += a[k] * b[k];
  }
  CHECK(dot(a, b) == expected);  // whole numbers: exact in any order
  const std::vector<float> narrow(b.begin(), b.end());
  CHECK(dot(narrow, narrow) == static_cast<float>(dot(b, b)));
  const std::vector<Variable> taped(a.begin(), a.end());
  CHECK(dot(taped, b).value() == expected);
  add_scaled(c, 0.5, b);
  for (std::size_t k = 0; k < count; ++k) CHECK(c[k] == 1 + 0.5 * b[k]);
}
