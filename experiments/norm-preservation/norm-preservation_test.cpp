// SPDX-License-Identifier: Apache-2.0
// Norm preservation against known answers, closed forms, and plain loops over the definition.
// Dimension letters: N positions, C contents, D model width.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"

#include "poslab/data/draws.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::data::Value;

using cells::whole;

double sinusoid(Index p, Index c, Index D) {
  const double angle = static_cast<double>(p) * std::pow(1e4, -static_cast<double>(c - c % 2) / static_cast<double>(D));
  return c % 2 ? std::cos(angle) : std::sin(angle);
}

}  // namespace

TEST_CASE("norm preservation of RoPE: lengths and inner products stay, to 1e-14, in float32 to 1e-6") {
  Cell cell{"norm-preservation", "rope", {{"length", whole(2000)}}};
  const auto check_isometry = [](const Answer& answer, double tolerance) {
    for (const std::string measure : {"ratio_mean", "ratio_min", "ratio_max"})
      for (const double ratio : answer.curve(measure)) REQUIRE(std::abs(ratio - 1) <= tolerance);
    CHECK(answer.scalar("isometry_error") <= tolerance);
    for (const std::string measure : {"angle", "position_share", "max_abs"}) CHECK_FALSE(answer.has(measure));
  };
  check_isometry(cells::run(cell), 1e-14);
  cell.axes.set("dtype", Value("float32"));
  const Answer in_float = cells::run(cell);
  check_isometry(in_float, 1e-6);
  CHECK(in_float.scalar("isometry_error") > 1e-9);
}

TEST_CASE("norm preservation of the sinusoid: |e|^2 = D / 2, so its share is 1 / (1 + 2 std^2)") {
  for (const double deviation : {0.02, 1.0, 3.0}) {
    const Answer answer =
        cells::run({"norm-preservation", "sinusoidal", {{"length", whole(300)}, {"embedding_std", Value(deviation)}}});
    for (const double share : answer.curve("position_share"))
      REQUIRE(share == check::Approx(1 / (1 + 2 * deviation * deviation)).epsilon(1e-12));
    CHECK(answer.scalar("max_abs") == 1);  // the cosine at position 0
  }
}

TEST_CASE("norm preservation of the sinusoid, by plain loops over the definition") {
  const Index N = 40, D = 18, C = 4;
  const double deviation = 0.7;
  const Answer answer = cells::run({"norm-preservation",
                                    "sinusoidal",
                                    {{"length", whole(N)}, {"contents", whole(C)}, {"embedding_std", Value(deviation)}},
                                    {},
                                    {D, 2, N}});
  const poslab::data::Draws draws(20261121, "norm-preservation", "sinusoidal", 0);
  const Array<double> x = draws.normal("x", {C, D}), y = draws.normal("y", {C, D});
  double isometry_error = 0;
  for (Index p = 0; p < N; ++p) {
    double mean = 0, lowest = 1e300, highest = 0, angle = 0;
    for (Index c = 0; c < C; ++c) {
      double xx = 0, yy = 0, xy = 0, moved_xx = 0, moved_xy = 0, x_moved = 0;
      for (Index k = 0; k < D; ++k) {
        const double a = deviation * x(c, k), b = deviation * y(c, k), e = sinusoid(p, k, D);
        xx += a * a;
        yy += b * b;
        xy += a * b;
        moved_xx += (a + e) * (a + e);
        moved_xy += (a + e) * (b + e);
        x_moved += a * (a + e);
      }
      const double ratio = std::sqrt(moved_xx / xx);
      mean += ratio / static_cast<double>(C);
      lowest = std::min(lowest, ratio);
      highest = std::max(highest, ratio);
      angle += std::acos(x_moved / std::sqrt(xx * moved_xx)) / static_cast<double>(C);
      isometry_error = std::max(isometry_error, std::abs(moved_xy - xy) / std::sqrt(xx * yy));
    }
    const auto at = static_cast<std::size_t>(p);
    REQUIRE(answer.curve("ratio_mean")[at] == check::Approx(mean).epsilon(1e-12));
    REQUIRE(answer.curve("ratio_min")[at] == check::Approx(lowest).epsilon(1e-12));
    REQUIRE(answer.curve("ratio_max")[at] == check::Approx(highest).epsilon(1e-12));
    REQUIRE(answer.curve("angle")[at] == check::Approx(angle).epsilon(1e-11));
  }
  CHECK(answer.scalar("isometry_error") == check::Approx(isometry_error).epsilon(1e-11));
}

TEST_CASE("norm preservation of the index: position 0 changes nothing, the others take over") {
  const Index D = 64;
  const Answer answer = cells::run({"norm-preservation", "index", {{"length", whole(100)}}, {}, {D, 4, 100}});
  CHECK(answer.curve("ratio_mean")[0] == 1);
  CHECK(answer.curve("angle")[0] == 0);
  CHECK(answer.curve("position_share")[0] == 0);
  for (std::size_t p = 0; p < 100; ++p) {
    const double squared = static_cast<double>(p * p);
    REQUIRE(answer.curve("position_share")[p] ==
            check::Approx(squared / (squared + static_cast<double>(D))).epsilon(1e-14));
  }
  CHECK(answer.scalar("max_abs") == 99);
}

TEST_CASE("norm preservation: a small code rotates the embedding by a small angle, exactly") {
  // |e| is 1e-9 of |x|: the cosine of the angle is 1 to the last bit. What of e lies across x tells the angle.
  const Index N = 3, D = 8;
  const Answer answer = cells::run({"norm-preservation",
                                    "sinusoidal",
                                    {{"length", whole(N)}, {"contents", whole(1)}},
                                    {{"scale", Value(1e-9)}},
                                    {D, 2, N}});
  const Array<double> x = poslab::data::Draws(20261121, "norm-preservation", "sinusoidal", 0).normal("x", {1, D});
  double xx = 0, xe = 0, ee = 0;
  for (Index k = 0; k < D; ++k) {
    xx += x(0, k) * x(0, k);
    xe += x(0, k) * sinusoid(2, k, D);
    ee += sinusoid(2, k, D) * sinusoid(2, k, D);
  }
  const double across = std::sqrt(ee - xe * xe / xx);
  CHECK(answer.curve("angle")[2] == check::Approx(1e-9 * across / std::sqrt(xx)).epsilon(1e-6));
}

TEST_CASE("norm preservation skips what changes no vector, with that sentence") {
  const std::string scheme = GENERATE("none", "alibi", "t5", "shaw", "transformer-xl");
  CHECK_THAT(cells::run({"norm-preservation", scheme}).skip, check::contains("changes no vector"));
}

TEST_CASE("norm preservation of one position, and of more than a learned table has") {
  const Answer one = cells::run({"norm-preservation", "rope", {{"length", whole(1)}}});
  CHECK(one.curve("ratio_mean") == std::vector<double>{1});
  const Cell learned{"norm-preservation", "learned", {{"length", whole(65)}}, {}, {16, 2, 64}};
  CHECK_THAT(cells::run(learned).skip, check::contains("position 64"));
}
