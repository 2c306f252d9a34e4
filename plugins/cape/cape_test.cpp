// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

Value numbers(std::vector<double> all) { return all; }

Array<double> codes(const data::Values& parameters, Index D, const Array<double>& positions, Index length = 7) {
  Array<double> out({positions.extent(0), D});
  check::scheme("cape", parameters, {D, 1, 512})->encode<double>({length, 512, true}, positions, {}, out);
  return out;
}

// The paper's sine with a phase, channel by channel, at an augmented position.
double wanted(double at, Index c, Index D, double freq_scale) {
  const double w = freq_scale * std::pow(1e4, -2.0 * static_cast<double>(c / 2) / static_cast<double>(D));
  return std::sin(at * w + std::numbers::pi / 2 * static_cast<double>(c % 2));
}

}  // namespace

TEST_CASE("cape: the formula in one axis") {
  const Index D = GENERATE(8, 5);
  const bool normalize = GENERATE(true, false);
  const auto positions = check::positions({0, 1, 6, 2.5, -4});
  const double shift = 1.75, scaling = 1.25, freq_scale = 3, pos_scale = 0.5;
  const auto rows = codes({{"normalize", Value(normalize)},
                           {"shift", Value(shift)},
                           {"scaling", Value(scaling)},
                           {"freq_scale", Value(freq_scale)},
                           {"pos_scale", Value(pos_scale)}},
                          D, positions);
  for (Index n = 0; n < 5; ++n) {
    const double at = (positions(n, 0) * pos_scale - (normalize ? 3 * pos_scale : 0) + shift) * scaling;
    for (Index c = 0; c < D; ++c) CHECK_THAT(rows(n, c), check::WithinAbs(wanted(at, c, D, freq_scale), 1e-13));
  }
}

TEST_CASE("cape: left alone it is the sinusoid, normalised, a common shift of positions changes nothing") {
  const auto positions = check::consecutive(7);
  Array<double> sinusoid({7, 8});
  check::scheme("sinusoidal", {}, {8, 1, 512})->encode<double>({7, 512, true}, positions, {}, sinusoid);
  CHECK(check::largest_difference(codes({}, 8, positions), sinusoid) == 0);
  const data::Values here{{"normalize", Value(true)}},
      there{{"normalize", Value(true)}, {"mean", Value(1003.0)}};  // the mean of 1000 .. 1006
  const auto moved = codes(there, 8, check::consecutive(7, 1000));
  CHECK(check::largest_difference(codes(here, 8, positions), moved) == 0);
}

TEST_CASE("cape: the formula on a grid, rows along x") {
  const double shift = 0.2, column_shift = -0.3, scaling = 1.5;
  const Index D = GENERATE(10, 2, 300), rows_of_grid = GENERATE(3, 1), pairs = D / 2;
  const data::Values parameters{{"grid", numbers({static_cast<double>(rows_of_grid), 5})},
                                {"shift", Value(shift)},
                                {"column_shift", Value(column_shift)},
                                {"scaling", Value(scaling)}};
  Array<double> at({3, 2});
  const double positions[3][2] = {{0, 0}, {0, 4}, {0, 1.5}};
  for (Index n = 0; n < 3; ++n)
    at(n, 0) = positions[n][0] + (rows_of_grid > 1 ? static_cast<double>(n) : 0), at(n, 1) = positions[n][1];
  const auto rows = codes(parameters, D, at);
  for (Index n = 0; n < 3; ++n)
    for (Index k = 0; k < pairs; ++k) {
      const double x = ((rows_of_grid == 1 ? -1 : at(n, 0) - 1) + shift) * scaling;
      const double y = (at(n, 1) / 2 - 1 + column_shift) * scaling, angle = static_cast<double>(k);
      const double rho = std::pow(10, pairs > 1 ? angle / static_cast<double>(pairs - 1) : 0);
      const double phase = std::numbers::pi * (rho * std::cos(angle) * x + rho * std::sin(angle) * y);
      CHECK_THAT(rows(n, k), check::WithinAbs(std::cos(phase), 1e-13));
      CHECK_THAT(rows(n, pairs + k), check::WithinAbs(std::sin(phase), 1e-13));
    }
}

TEST_CASE("cape: claims, and what is refused") {
  const auto make = [](const data::Values& values, Index D = 8) { return check::scheme("cape", values, {D, 1, 512}); };
  const data::Values normalised{{"normalize", Value(true)}}, on_grid{{"grid", numbers({3, 5})}};
  for (const poslab_claim claim : {POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED, POSLAB_CONSTANT_NORM}) {
    CHECK(make({})->claims(claim));
    CHECK(make(on_grid)->claims(claim));
  }
  CHECK_FALSE(make(normalised)->claims(POSLAB_LENGTH_FREE));
  CHECK(make({{"normalize", Value(true)}, {"mean", Value(3.0)}})->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(make({}, 7)->claims(POSLAB_CONSTANT_NORM));
  CHECK_THROWS_WITH(make(on_grid, 7), check::contains("even model width, not 7"));
  CHECK_THROWS_WITH(make({{"grid", numbers({3})}}), check::contains("2 numbers, rows and columns, not 1"));
  CHECK_THROWS_WITH(make({{"grid", numbers({3, 5})}, {"normalize", Value(true)}}),
                    check::contains("mean nothing on a grid"));
  CHECK_THROWS_WITH(make({{"column_shift", Value(1.0)}}), check::contains("column_shift needs a grid"));
  CHECK_THROWS_AS(make({{"scaling", Value(0.0)}}), base::Error);
  CHECK_THROWS_WITH(codes(on_grid, 8, check::positions({1})), check::contains("serves positions of 2 axes, not of 1"));
}
