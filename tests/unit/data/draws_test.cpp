// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/draws.hpp"

#include "catch.hpp"

using poslab::data::Draws;

TEST_CASE("contents do not depend on the scheme, weights do") {
  const Draws rope(1, "uniqueness", "rope", "rope", 0), alibi(1, "uniqueness", "alibi", "alibi", 0),
      later(1, "uniqueness", "rope", "rope", 1);
  CHECK(rope.contents("query", {8}).bits(0) == alibi.contents("query", {8}).bits(0));
  CHECK(rope.contents("query", {8}).bits(0) != rope.contents("key", {8}).bits(0));
  CHECK(rope.contents("query", {8}).bits(0) != rope.contents("query", {9}).bits(0));
  CHECK(rope.contents("query", {8}).bits(0) != later.contents("query", {8}).bits(0));
  CHECK(rope.weights("table", 0).bits(0) != alibi.weights("table", 0).bits(0));
  CHECK(rope.weights("table", 0).bits(0) != rope.weights("table", 1).bits(0));
}
