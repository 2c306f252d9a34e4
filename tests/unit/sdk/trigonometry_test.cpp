// SPDX-License-Identifier: Apache-2.0
// Our sine and cosine against long double's: below one unit in the last place, everywhere.
#include "poslab/sdk/trigonometry.hpp"
#include "poslab/sdk/angles.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"

namespace {

using poslab::sine_and_cosine;

/// |value - exact| in units of the last place of `exact`.
double units_off(double value, long double exact) {
  const double rounded = std::abs(static_cast<double>(exact));
  const double above = std::nextafter(rounded, std::numeric_limits<double>::infinity());
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact)) / (above - rounded);
}

double worse_of(double angle) {
  const auto [sine, cosine] = sine_and_cosine(angle);
  return std::max(units_off(sine, std::sin(static_cast<long double>(angle))),
                  units_off(cosine, std::cos(static_cast<long double>(angle))));
}

/// Numbers in [0, 1), the same in every run.
struct Scatter {
  std::uint64_t state = 88172645463325252U;
  double operator()() {
    state ^= state << 13U, state ^= state >> 7U, state ^= state << 17U;
    return static_cast<double>(state >> 11U) * 0x1p-53;
  }
};

}  // namespace

TEST_CASE("sine and cosine are right to less than a unit in the last place") {
  Scatter scatter;
  double worst = 0;
  SECTION("around zero, and for the positions of a text") {
    for (const double reach : {1e-8, 1e-3, 0.7, 3.2, 100.0, 8192.0, 1e6})
      for (int i = 0; i < 40000; ++i) worst = std::max(worst, worse_of(reach * (2 * scatter() - 1)));
  }
  SECTION("for far positions, on both sides of the exact path's beginning") {
    for (const double reach : {3e6, 1e9, 1e12, 1e16, 1e22, 1e300})
      for (int i = 0; i < 20000; ++i) worst = std::max(worst, worse_of(reach * (2 * scatter() - 1)));
  }
  SECTION("next to the multiples of pi/2, where nearly all digits cancel") {
    for (int k = 0; k < (1 << 21); k += 1 + k / 1000)
      for (const double angle : {static_cast<double>(k * 1.570796326794896619231L)})
        for (const double x : {angle, std::nextafter(angle, 0.0), std::nextafter(angle, 1e300), -angle})
          worst = std::max(worst, worse_of(x));
  }
  CHECK(worst < 1);
  CHECK(worst > 0.49);  // what only a broken ruler could deny
}

TEST_CASE("sine and cosine of the angle that lies closest to a multiple of pi/2 among all doubles") {
  const double hardest = std::ldexp(6381956970095103.0, 797);
  CHECK(worse_of(hardest) < 1);
  CHECK(std::abs(sine_and_cosine(hardest).cosine) < 1e-18);
}

TEST_CASE("sine and cosine of what is hardly a number") {
  CHECK(std::signbit(sine_and_cosine(-0.0).sine));
  CHECK(sine_and_cosine(0.0).sine == 0);
  CHECK(sine_and_cosine(0.0).cosine == 1);
  const double smallest = std::numeric_limits<double>::denorm_min();
  CHECK(sine_and_cosine(smallest).sine == smallest);
  for (const double x : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(std::isnan(sine_and_cosine(x).sine));
    CHECK(std::isnan(sine_and_cosine(x).cosine));
  }
  CHECK(worse_of(std::numeric_limits<double>::max()) < 1);
}

TEST_CASE("a batch gives the same bits as its angles one by one") {
  const std::size_t count = GENERATE(0, 1, 3, 4, 7, 64, 131);
  Scatter scatter;
  std::vector<double> frequencies(count), sines(count), cosines(count);
  for (double& frequency : frequencies) frequency = scatter();
  for (const double factor : {0.0, 1.0, -17.25, 8191.0, 1e9, 1e30}) {  // the last two: the exact path, for some or all
    poslab::sines_and_cosines(factor, frequencies, sines, cosines);
    std::size_t calls = 0;
    poslab::for_sines_and_cosines(factor, frequencies, [&](std::size_t m, double sine, double cosine) {
      REQUIRE(m == calls++);
      const poslab::SineCosine one = sine_and_cosine(factor * frequencies[m]);
      REQUIRE(sines[m] == one.sine);
      REQUIRE(cosines[m] == one.cosine);
      REQUIRE(sine == one.sine);
      REQUIRE(cosine == one.cosine);
    });
    CHECK(calls == count);
    poslab::for_scaled_sines_and_cosines<float>(3, factor, frequencies, [&](std::size_t m, float sine, float cosine) {
      REQUIRE(m + count == calls++);
      REQUIRE(sine == static_cast<float>(3 * sines[m]));
      REQUIRE(cosine == static_cast<float>(3 * cosines[m]));
    });
    CHECK(calls == 2 * count);
  }
}

TEST_CASE("one angle that is no number leaves the others alone") {
  const std::vector<double> frequencies{1, std::numeric_limits<double>::infinity(), 0.5, 0.25, 0.125};
  std::vector<double> sines(5), cosines(5);
  poslab::sines_and_cosines(3, frequencies, sines, cosines);
  CHECK(sines[0] == sine_and_cosine(3).sine);
  CHECK(std::isnan(sines[1]));
  CHECK(cosines[4] == sine_and_cosine(0.375).cosine);
}
