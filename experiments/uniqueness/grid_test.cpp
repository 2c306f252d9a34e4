// SPDX-License-Identifier: Apache-2.0
// Uniqueness where positions are not 0, 1, 2 ...: on grids against closed forms and plain loops, and for the policies.
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "cells.hpp"

#include "poslab/data/draws.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::data::Placement;
using poslab::data::Value;

using cells::whole;
Value word(const char* text) { return std::string(text); }

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

TEST_CASE("uniqueness on a grid: the two nearest codes of MAE's are one step apart, across columns or rows alike") {
  const Index D = 32, rows = 5, columns = 7;
  const Answer answer = cells::run({"uniqueness", "sincos-2d", {}, {}, {D, 4, 35}, 0, cells::grid({rows, columns})});
  REQUIRE(answer.skip.empty());
  double nearest = std::numeric_limits<double>::infinity();
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c)
      if (r + c > 0) nearest = std::min(nearest, sincos_distance(static_cast<double>(r), static_cast<double>(c), D));
  CHECK(answer.scalar("min_distance") == check::Approx(nearest).epsilon(1e-12));
  CHECK(nearest == check::Approx(sincos_distance(0, 1, D)).epsilon(1e-14));
  CHECK(answer.scalar("relative_margin") ==
        check::Approx(nearest / std::sqrt(static_cast<double>(D) / 2)).epsilon(1e-12));
  CHECK(answer.scalar("closest_first") == 0);
  CHECK(answer.scalar("closest_second") == 1);
  CHECK(answer.scalar("distinct") == 35);
  REQUIRE(answer.record.position_coordinates().size() == 2);
  const auto &row = answer.record.position_coordinates()[0], &column = answer.record.position_coordinates()[1];
  CHECK(row.dimension == "position");
  CHECK(row.axis == "row");
  CHECK(column.axis == "column");
  for (Index n = 0; n < 35; ++n) {
    CHECK(row.values[static_cast<std::size_t>(n)] == static_cast<double>(n / columns));
    CHECK(column.values[static_cast<std::size_t>(n)] == static_cast<double>(n % columns));
  }
}

TEST_CASE("uniqueness of Swin's bias: an offset is a vector, and mirror images are told apart") {
  // The query in the middle, (2, 1), of 4 x 3 cells: offsets (query - key) from (-1, -1) to (2, 1) in rising order.
  const Index rows = 4, columns = 3, N = 12, H = 2;
  const poslab::host::Model model{16, H, N};
  const Answer answer =
      cells::run({"uniqueness", "swin", {{"offsets", word("both")}}, {}, model, 0, cells::grid({rows, columns})});
  REQUIRE(answer.skip.empty());
  const auto& row = answer.record.position_coordinates()[0].values;
  const auto& column = answer.record.position_coordinates()[1].values;
  CHECK(row == std::vector<double>{-1, -1, -1, 0, 0, 0, 1, 1, 1, 2, 2, 2});
  CHECK(column == std::vector<double>{-1, 0, 1, -1, 0, 1, -1, 0, 1, -1, 0, 1});

  const poslab::host::Scheme scheme(cells::plugin("swin"), {}, model);
  const poslab::data::Draws draws(20261121, "uniqueness", "swin", 0);
  const auto weights = scheme.draw_weights(draws, 1);
  const auto phi = [&](std::size_t i, Index h) {
    Array<double> query{1, 2}, key{1, 2}, bias{H, 1, 1};
    query(0, 0) = 2, query(0, 1) = 1;
    key(0, 0) = 2 - row[i], key(0, 1) = 1 - column[i];
    scheme.bias<double>({N, N, false}, {query, key, 0}, weights.layer(0), bias);
    return bias(h, 0, 0);
  };
  double nearest = std::numeric_limits<double>::infinity(), mirrored = nearest;
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = std::hypot(phi(i, 0) - phi(j, 0), phi(i, 1) - phi(j, 1));
      nearest = std::min(nearest, distance);
      if (row[i] == -row[j] && column[i] == -column[j]) mirrored = std::min(mirrored, distance);
    }
  CHECK(answer.scalar("min_distance") == check::Approx(nearest).epsilon(1e-12));
  CHECK(answer.scalar("mirror_distance") == check::Approx(mirrored).epsilon(1e-12));
  CHECK(answer.scalar("distinct") == 12);
}

TEST_CASE("uniqueness of three axes, frame, row and column") {
  const Answer answer =
      cells::run({"uniqueness", "m-rope", {{"kind", word("position")}}, {}, {64, 2, 24}, 0, cells::grid({2, 3, 4})});
  REQUIRE(answer.skip.empty());
  CHECK(answer.scalar("distinct") == 24);
  REQUIRE(answer.record.position_coordinates().size() == 3);
  CHECK(answer.record.position_coordinates()[0].axis == "frame");
  CHECK(answer.record.position_coordinates()[0].values[12] == 1);
}

TEST_CASE("uniqueness: a scheme of another number of axes says which positions it wants") {
  CHECK(cells::run({"uniqueness", "sinusoidal", {}, {}, {16, 2, 16}, 0, cells::grid({4, 4})}).skip ==
        "scheme \"sinusoidal\" wants positions of 1 axis, as in text; those of positions = { grid = [4, 4] } have 2 "
        "axes");
  CHECK(cells::run({"uniqueness", "rope-2d", {{"length", whole(16)}}, {}, {16, 2, 16}}).skip ==
        "scheme \"rope-2d\" wants positions of 2 axes, as positions = { grid = [16, 16] } in [model] gives; those of "
        "positions = { policy = \"plain\" } have 1 axis");
  CHECK_THAT(cells::run({"uniqueness", "swin", {}, {}, {16, 2, 81}, 0, cells::grid({9, 9})}).skip,
             check::contains("position 8"));
}

TEST_CASE("uniqueness does not change under a shift of what depends on offsets only") {
  Placement shifted;
  shifted.policy = Placement::Policy::shifted, shifted.by = 500;
  for (const std::string scheme : {"rope", "alibi", "t5", "sinusoidal", "shaw"}) {
    CAPTURE(scheme);
    Cell cell{"uniqueness", scheme, {{"length", whole(60)}}, {}, {32, 4, 560}};
    const Answer here = cells::run(cell);
    cell.placement = shifted;
    const Answer there = cells::run(cell);
    CHECK(there.scalar("min_distance") == check::Approx(here.scalar("min_distance")).epsilon(1e-9));
    CHECK(there.scalar("distinct") == here.scalar("distinct"));
    CHECK(there.scalar("collisions") == here.scalar("collisions"));
    REQUIRE(there.record.position_coordinates().size() == 1);
    CHECK(there.record.position_coordinates()[0].axis == "value");
    CHECK(there.record.position_coordinates()[0].values[0] == (scheme == "rope" || scheme == "sinusoidal" ? 500 : 0));
  }
}

TEST_CASE("uniqueness of positions that are drawn, or given: the index is as far apart as they are") {
  Placement randomised, given;
  randomised.policy = Placement::Policy::randomised, randomised.range = 100;
  given.policy = Placement::Policy::at, given.values = {0, 0.7, 1.9, 2.2};
  Cell cell{"uniqueness", "index", {{"length", whole(30)}}, {{"broadcast", Value(false)}}, {16, 2, 100}};
  cell.placement = randomised;
  const Answer drawn = cells::run(cell);
  const std::vector<double>& positions = drawn.record.position_coordinates().at(0).values;
  double least = 100;
  for (std::size_t i = 1; i < positions.size(); ++i) least = std::min(least, positions[i] - positions[i - 1]);
  CHECK(drawn.scalar("min_distance") == least);
  cell.repeat = 1;
  CHECK(cells::run(cell).record.position_coordinates().at(0).values != positions);

  const Answer rope = cells::run({"uniqueness", "rope", {}, {}, {4, 2, 4}, 0, given});
  REQUIRE(rope.skip.empty());
  // Two heads of one plane each that rotates by 1 a position: |phi(p) - phi(q)|^2 = 2 x 2 (2 - 2 cos(p - q)).
  CHECK(rope.scalar("min_distance") == check::Approx(std::sqrt(4 * (2 - 2 * std::cos(2.2 - 1.9)))).epsilon(1e-12));
  CHECK(rope.scalar("closest_first") == 2);
  CHECK_THAT(cells::run({"uniqueness", "t5", {}, {}, {16, 2, 4}, 0, given}).skip,
             check::contains("whole positions only"));
}
