// SPDX-License-Identifier: Apache-2.0
// The decay of a head's logits: slopes that are known, and the normal equations.
// Dimension letters: N positions, H heads.
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "decay.hpp"
#include "first_position_bias_cells.hpp"
#include "poslab/data/draws.hpp"

using namespace poslab;
using namespace poslab::experiments::first_position_bias;
using namespace first_position_bias_cells;

TEST_CASE("first-position-bias: what decays, decays by its slope") {
  for (const double gain : {0.0, 1.0, 4.0}) {
    const cells::Answer alibi = cells::run(cell("alibi", 60, {1}, gain));
    const std::vector<double>& decay = alibi.curve("decay");
    REQUIRE(decay.size() == H);
    for (Index h = 0; h < H; ++h)
      CHECK_THAT(decay[static_cast<std::size_t>(h)],
                 check::WithinAbs(std::exp2(-2.0 * static_cast<double>(h + 1)), 1e-12));
  }
  // Gates of one half, as they are on average before training: a factor of two for each token.
  const cells::Answer fox = cells::run(cell("fox", 200, {1}));
  for (const double decay : fox.curve("decay")) CHECK_THAT(decay, check::WithinAbs(std::log(2), 0.15));
}

TEST_CASE("first-position-bias: decays as the normal equations give them") {
  const Index N = 31;
  const data::Draws draws(5, "decay", "", 0);
  const base::Array<double> logits = draws.normal("logits", {2, N}), none = draws.normal("none", {2, N});
  const std::vector<double> fast = decays(logits, none);
  for (Index h = 0; h < 2; ++h) {
    double n = 0, d = 0, c = 0, dd = 0, dc = 0;
    for (Index j = 0; j < N; ++j) {
      const double distance = static_cast<double>(N - 1 - j), change = logits(h, j) - none(h, j);
      n += 1, d += distance, c += change, dd += distance * distance, dc += distance * change;
    }
    CHECK_THAT(fast[static_cast<std::size_t>(h)], check::WithinAbs(-(n * dc - d * c) / (n * dd - d * d), 1e-14));
  }
}
