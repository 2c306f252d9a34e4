// SPDX-License-Identifier: Apache-2.0
// Norm preservation, and the others, where positions are not 0, 1, 2 ...
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using poslab::data::Placement;
using poslab::data::Value;

using cells::whole;

Placement shifted(std::int64_t by) {
  Placement placement;
  placement.policy = Placement::Policy::shifted, placement.by = by;
  return placement;
}

}  // namespace

TEST_CASE("norm preservation on a grid: MAE's code has squared norm D / 2 everywhere, rotations keep norms") {
  const Answer mae = cells::run({"norm-preservation", "sincos-2d", {}, {}, {32, 4, 48}, 0, cells::grid({6, 8})});
  REQUIRE(mae.curve("position_share").size() == 48);
  for (const double share : mae.curve("position_share")) CHECK(share == check::Approx(1.0 / 3).epsilon(1e-12));
  CHECK(mae.scalar("max_abs") == 1);
  REQUIRE(mae.record.position_coordinates().size() == 2);
  for (const std::string scheme : {"rope-2d", "m-rope"}) {
    const Answer rotated = cells::run({"norm-preservation", scheme, {}, {}, {32, 4, 48}, 0, cells::grid({6, 8})});
    CHECK(rotated.scalar("isometry_error") <= 1e-14);
    for (const double ratio : rotated.curve("ratio_max")) CHECK(std::abs(ratio - 1) <= 1e-14);
  }
}

TEST_CASE("norm preservation of the index, shifted: its share is that of the shifted positions") {
  const double embedding = 16;  // D embedding_std^2
  Cell cell{"norm-preservation", "index", {{"length", whole(5)}}, {{"broadcast", Value(false)}}, {16, 2, 600}};
  cell.placement = shifted(500);
  const Answer answer = cells::run(cell);
  for (std::size_t n = 0; n < 5; ++n) {
    const double p = 500 + static_cast<double>(n);
    CHECK(answer.curve("position_share")[n] == check::Approx(p * p / (p * p + embedding)).epsilon(1e-12));
  }
}

TEST_CASE("first-position bias goes by the order of tokens, whatever their positions") {
  const cells::Values axes{{"length", whole(16)}, {"query_gain", Value(0.0)}};
  for (const std::string scheme : {"none", "rope-2d"}) {
    CAPTURE(scheme);
    Cell cell{"first-position-bias", scheme, axes, {}, {16, 2, 16}};
    cell.placement = cells::grid({4, 4});
    const Answer answer = cells::run(cell);
    REQUIRE(answer.skip.empty());
    CHECK(answer.curve("sink_share")[0] == check::Approx(answer.scalar("sink_share_mask")).epsilon(1e-12));
    CHECK_FALSE(answer.has("exposure"));  // about the rows of a table
  }
  Cell alibi{"first-position-bias", "alibi", axes, {}, {16, 2, 16}};
  const Answer here = cells::run(alibi);
  alibi.placement = shifted(500);
  CHECK(cells::run(alibi).curve("sink_share") == here.curve("sink_share"));
}
