// SPDX-License-Identifier: Apache-2.0
// The cells of distance-profile: other positions, grids, few positions, every shipped scheme, float32, threads.
// Dimension letters: K head width.
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "distance_profile_cells.hpp"
#include "same_bits.hpp"
#include "shipped.hpp"

using namespace distance_profile_cells;
using poslab::data::Placement;

TEST_CASE("distance-profile elsewhere than at 0, 1, 2 ...") {
  Cell here = cell("rope", 60);
  const Answer plain = cells::run(here);
  here.placement.policy = Placement::Policy::shifted;
  here.placement.by = 1000;
  check_near(cells::run(here).curve("mean_random"), plain.curve("mean_random"), 1e-10);
  here.placement.policy = Placement::Policy::randomised;
  here.placement.range = 1000;
  CHECK_THAT(cells::run(here).skip, check::contains("uneven"));
}

TEST_CASE("distance-profile on a grid: the length of the offset, rounded") {
  const Index rows = 4, columns = 6, K = 16;
  Cell here = cell("sincos-2d", rows * columns, 2, K, 1);
  here.placement = cells::grid({rows, columns});
  here.axes.set("offsets", Value("both"));
  const Answer answer = cells::run(here);
  REQUIRE(answer.skip == "");
  CHECK(answer.record.coordinate_of("distance")->values == std::vector<double>{0, 1, 2, 3, 4, 5, 6});
  std::vector<double> sum(7), count(7);
  for (Index m = 0; m < rows * columns; ++m)
    for (Index n = 0; n < rows * columns; ++n) {
      // (1 + p) . (1 + q), p and q by MAE: sines and cosines of the column, then of the row.
      double product = 0;
      for (Index channel = 0; channel < K; ++channel) {
        const Index part = channel / (K / 4);
        const double w = std::pow(1e4, -static_cast<double>(channel % (K / 4)) / static_cast<double>(K / 4));
        const auto code = [&](Index token) {
          const double at = w * static_cast<double>(part < 2 ? token % columns : token / columns);
          return part % 2 ? std::cos(at) : std::sin(at);
        };
        product += (1 + code(m)) * (1 + code(n));
      }
      const auto down = static_cast<double>(m / columns - n / columns),
                 along = static_cast<double>(m % columns - n % columns);
      const auto bin = static_cast<std::size_t>(std::lround(std::sqrt(down * down + along * along)));
      sum[bin] += product / 4, count[bin] += 1;
    }
  for (std::size_t r = 0; r < 7; ++r)
    CHECK_THAT(answer.curve("mean_ones")[r], check::WithinAbs(sum[r] / count[r], 1e-12));
}

TEST_CASE("distance-profile of one position and of two") {
  for (const std::string scheme : {"none", "sinusoidal", "rope", "alibi", "t5", "shaw"}) {
    CAPTURE(scheme);
    const Answer one = cells::run(cell(scheme, 1)), two = cells::run(cell(scheme, 2));
    CHECK(one.curve("mean_random").size() == 1);
    CHECK(std::isnan(one.scalar("fall_random")));
    CHECK(std::isnan(one.scalar("monotonicity_ones")));
    CHECK(std::isnan(one.scalar("decay_length_ones")));
    CHECK(two.scalar("fall_ones") == two.curve("change_ones")[0] - two.curve("change_ones")[1]);
  }
}

TEST_CASE("distance-profile: every shipped scheme has one, or a sentence why not") {
  for (const std::string& id : shipped_schemes()) {
    CAPTURE(id);
    Cell here = cell(id, 36, 2, 48, 2);
    Answer answer = cells::run(here);
    if (!answer.skip.empty()) {
      CHECK(answer.skip.find(' ') != std::string::npos);
      CHECK_THAT(answer.skip, check::contains("axes"));  // on a grid, then
      here.placement = cells::grid(id == "v-jepa-2" ? std::vector<Index>{3, 3, 4} : std::vector<Index>{6, 6});
      answer = cells::run(here);
    }
    REQUIRE(answer.skip == "");
    for (const std::string kind : {"random", "equal", "ones"}) CHECK(std::isfinite(answer.scalar("fall_" + kind)));
  }
}

TEST_CASE("distance-profile: float32 is near float64") {
  for (const std::string scheme : {"alibi", "rope", "sinusoidal"}) {
    CAPTURE(scheme);
    Cell here = cell(scheme, 100);
    const Answer twice = cells::run(here);
    here.axes.set("dtype", Value("float32"));
    const Answer once = cells::run(here);
    for (const std::string kind : {"random", "equal", "ones"}) {
      check_near(once.curve("mean_" + kind), twice.curve("mean_" + kind), 1e-5);
      CHECK(once.scalar("monotonicity_" + kind) == twice.scalar("monotonicity_" + kind));
    }
    if (scheme == "alibi") CHECK(once.curve("head_decay_length_ones")[5] == 64);
  }
}

TEST_CASE("distance-profile: the same bits on 1, 2 and 8 threads") { cells::check_same_bits(cell("shaw", 200, 9)); }
