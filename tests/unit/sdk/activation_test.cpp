// SPDX-License-Identifier: Apache-2.0
// The functions that gates are made of: their values, at both ends, and their slopes on the tape, at 0 too.
#include "poslab/sdk/activation.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "poslab/sdk/running_sum.hpp"

using namespace poslab;

namespace {

template <class Function>
double slope(Function f, double at) {
  sdk::Tape tape;
  tape.seed(f(tape.leaf(at, 0, 0)), 1);
  double found = 0;
  tape.sweep([&](int, Index, double gradient) { found += gradient; });
  return found;
}

}  // namespace

TEST_CASE("activation: values are those of the plain formulas") {
  for (const double x : {-30.0, -3.0, -1e-9, 0.0, 1e-9, 0.7, 30.0}) {
    const double plain = 1 / (1 + std::exp(-x));
    CHECK(sigmoid(x) == check::Approx(plain).epsilon(1e-14));
    CHECK(softplus(x) == check::Approx(std::log(1 + std::exp(x))).margin(1e-15).epsilon(1e-6));
    CHECK(log_sigmoid(x) == check::Approx(std::log(plain)).margin(1e-15).epsilon(1e-6));
    CHECK(silu(x) == check::Approx(x * plain).epsilon(1e-14));
    CHECK(sigmoid(static_cast<float>(x)) == check::Approx(plain).epsilon(1e-6));
  }
}

TEST_CASE("activation: nothing overflows at either end, and small numbers keep their digits") {
  CHECK(sigmoid(1e5) == 1);
  CHECK(sigmoid(-1e5) == 0);
  CHECK(log_sigmoid(-1e5) == -1e5);
  CHECK(log_sigmoid(1e5) == 0);
  CHECK(softplus(1e5) == 1e5);
  CHECK(log_sigmoid(50.0) == check::Approx(-std::exp(-50.0)).epsilon(1e-14));
}

TEST_CASE("activation: slopes on the tape") {
  for (const double x : {-40.0, -1.0, 0.0, 2.0, 40.0}) {
    const double s = 1 / (1 + std::exp(-x));
    CHECK(slope([](const auto& v) { return sigmoid(v); }, x) == check::Approx(s * (1 - s)).margin(1e-15));
    CHECK(slope([](const auto& v) { return softplus(v); }, x) == check::Approx(s).epsilon(1e-14));
    CHECK(slope([](const auto& v) { return log_sigmoid(v); }, x) == check::Approx(1 - s).margin(1e-15));
    CHECK(slope([](const auto& v) { return silu(v); }, x) == check::Approx(s + x * s * (1 - s)).margin(1e-13));
  }
}

TEST_CASE("running sums begin with nothing, and are kept in double") {
  const auto sums = running_sums<float>(3, [](Index j) { return j == 0 ? 1e8 : 0.25; });
  CHECK(sums == std::vector<double>{0, 1e8, 1e8 + 0.25, 1e8 + 0.5});
  CHECK(running_sums<double>(0, [](Index) { return 1.0; }) == std::vector<double>{0});
}
