// SPDX-License-Identifier: Apache-2.0
// Extrapolation to larger grids against plain loops over closed forms.
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "cells.hpp"

namespace {

using cells::Answer;
using cells::Index;
using poslab::data::Placement;
using poslab::data::Value;

using cells::list;

// |e(r, c) - e(r', c')| of MAE's code: sqrt(sum over both axes of 2 - 2 cos(w d)).
double sincos_distance(double rows, double columns, Index D) {
  double squared = 0;
  for (Index k = 0; k < D / 4; ++k) {
    const double w = std::pow(1e4, -4.0 * static_cast<double>(k) / static_cast<double>(D));
    squared += 4 - 2 * std::cos(w * rows) - 2 * std::cos(w * columns);
  }
  return std::sqrt(squared);
}

}  // namespace

TEST_CASE("extrapolation of MAE's code to larger grids: novelty by plain loops, 0 in the trained corner") {
  const Index R = 3, C = 4, D = 16;
  const Answer answer = cells::run(
      {"extrapolation", "sincos-2d", {{"multiple", list({1, 2, 3})}}, {}, {D, 2, R * C}, 0, cells::grid({R, C})});
  REQUIRE(answer.skip.empty());
  const std::size_t G = static_cast<std::size_t>(9 * R * C);
  REQUIRE(answer.curve("novelty").size() == G);
  // Neighbours are as far apart along rows as along columns: R (C - 1) + (R - 1) C pairs of one step.
  const double unit = sincos_distance(0, 1, D);
  const auto &row = answer.record.position_coordinates()[0].values,
             &column = answer.record.position_coordinates()[1].values;
  for (std::size_t n = 0; n < G; ++n) {
    REQUIRE(row[n] == std::floor(static_cast<double>(n) / 12));
    REQUIRE(column[n] == static_cast<double>(n % 12));
    double nearest = std::numeric_limits<double>::infinity();
    for (Index r = 0; r < R; ++r)
      for (Index c = 0; c < C; ++c)
        nearest =
            std::min(nearest, sincos_distance(row[n] - static_cast<double>(r), column[n] - static_cast<double>(c), D));
    CAPTURE(row[n], column[n]);
    CHECK(answer.curve("defined")[n] == 1);
    CHECK(answer.curve("novelty")[n] == check::Approx(nearest / unit).epsilon(1e-9).margin(1e-12));
    if (row[n] < 3 && column[n] < 4) CHECK(answer.curve("novelty")[n] == 0);
  }
  CHECK_FALSE(answer.has("logit_drift"));
}

TEST_CASE("extrapolation of Swin's bias ends at its window") {
  const Answer answer = cells::run({"extrapolation",
                                    "swin",
                                    {{"multiple", list({1, 2, 3})}},
                                    {{"window", list({5, 4})}},
                                    {16, 2, 4},
                                    0,
                                    cells::grid({2, 2})});
  REQUIRE(answer.skip.empty());
  const auto &row = answer.record.position_coordinates()[0].values,
             &column = answer.record.position_coordinates()[1].values;
  for (std::size_t n = 0; n < 36; ++n) {
    const bool inside = row[n] < 4 && column[n] < 4;  // two grids of 2 x 2 fit, three do not
    CHECK(answer.curve("defined")[n] == (inside ? 1 : 0));
    CHECK(std::isnan(answer.curve("novelty")[n]) == !inside);
    if (inside) CHECK((answer.curve("novelty")[n] == 0) == (row[n] < 2 && column[n] < 2));
    if (inside) CHECK(answer.curve("untrained")[n] == (row[n] < 2 && column[n] < 2 ? 0 : 1));
    CHECK(std::isnan(answer.curve("untrained")[n]) == !inside);
  }
}

TEST_CASE("extrapolation of nothing on a grid is nothing new, too large a grid is skipped") {
  const Answer none = cells::run({"extrapolation", "none", {}, {}, {16, 2, 12}, 0, cells::grid({1, 3, 4})});
  REQUIRE(none.skip.empty());
  REQUIRE(none.curve("novelty").size() == 12 * 512);
  for (const double novelty : none.curve("novelty")) REQUIRE(novelty == 0);
  CHECK_THAT(cells::run({"extrapolation", "rope-2d", {}, {}, {16, 2, 16384}, 0, cells::grid({128, 256})}).skip,
             check::contains("8 times the extents of positions = { grid = [128, 256] } are 2097152 cells"));
}

TEST_CASE("extrapolation goes from position 0, and says so elsewhere") {
  Placement shifted;
  shifted.policy = Placement::Policy::shifted, shifted.by = 3;
  CHECK_THAT(cells::run({"extrapolation", "rope", {}, {}, {16, 2, 16}, 0, shifted}).skip,
             check::contains("not asked of positions = { policy = \"shifted\", by = 3 }"));
}
