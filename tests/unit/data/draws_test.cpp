// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/draws.hpp"

#include <vector>

#include "catch.hpp"

using poslab::base::Index;
using poslab::data::Draws;

TEST_CASE("contents do not depend on the scheme, weights do") {
  const Draws rope(1, "uniqueness", "rope", 0), alibi(1, "uniqueness", "alibi", 0), later(1, "uniqueness", "rope", 1);
  CHECK(rope.contents("query", {8}).bits(0) == alibi.contents("query", {8}).bits(0));
  CHECK(rope.contents("query", {8}).bits(0) != rope.contents("key", {8}).bits(0));
  CHECK(rope.contents("query", {8}).bits(0) != rope.contents("query", {9}).bits(0));
  CHECK(rope.contents("query", {8}).bits(0) != later.contents("query", {8}).bits(0));
  const std::vector<Index> shape{8, 4};
  CHECK(rope.weights("table", shape, 0).bits(0) != alibi.weights("table", shape, 0).bits(0));
  CHECK(rope.weights("table", shape, 0).bits(0) != rope.weights("table", shape, 1).bits(0));
}

TEST_CASE("weights are those of scheme, array, shape and repeat, whatever the experiment") {
  const Draws first(1, "uniqueness", "t5", 0), other(1, "relative-shift", "t5", 0), later(1, "uniqueness", "t5", 1);
  const std::vector<Index> shape{8, 4}, turned{4, 8};
  const std::uint64_t bits = first.weights("table", shape, 0).bits(0);
  CHECK(other.weights("table", shape, 0).bits(0) == bits);
  CHECK(later.weights("table", shape, 0).bits(0) != bits);
  CHECK(first.weights("vector", shape, 0).bits(0) != bits);
  CHECK(first.weights("table", turned, 0).bits(0) != bits);
}
