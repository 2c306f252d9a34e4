// SPDX-License-Identifier: Apache-2.0
// Positions of each policy, and what they are to a cell's identity.
#include "poslab/data/placement.hpp"

#include <set>

#include "catch.hpp"
#include "poslab/data/cell.hpp"

using namespace poslab;
using namespace poslab::data;
using Policy = Placement::Policy;

namespace {

Draws draws(std::uint64_t seed, int repeat, const std::string& scheme = "rope") {
  return {seed, "uniqueness", scheme, repeat};
}

std::vector<double> numbers(const base::Array<double>& array) { return {array.flat().begin(), array.flat().end()}; }

Placement grid(std::vector<std::int64_t> extents) {
  Placement placement;
  placement.policy = Policy::grid, placement.extents = std::move(extents);
  return placement;
}

Placement randomised(std::int64_t range) {
  Placement placement;
  placement.policy = Policy::randomised, placement.range = range;
  return placement;
}

}  // namespace

TEST_CASE("positions count from 0, or from where they are shifted to") {
  Placement placement;
  CHECK(numbers(placement.positions(3, draws(1, 0))) == std::vector<double>{0, 1, 2});
  placement.policy = Policy::shifted, placement.by = 500;
  CHECK(numbers(placement.positions(3, draws(1, 0))) == std::vector<double>{500, 501, 502});
  CHECK(placement.lowest() == 500);
  CHECK(placement.highest(3) == 502);
}

TEST_CASE("cells of a grid come row by row, of frames frame by frame") {
  const base::Array<double> cells = grid({2, 3}).positions(6, draws(1, 0));
  CHECK(numbers(cells) == std::vector<double>{0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2});
  const base::Array<double> frames = grid({2, 1, 2}).positions(4, draws(1, 0));
  CHECK(numbers(frames) == std::vector<double>{0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1});
  CHECK(grid({2, 3}).axis_names() == std::vector<std::string>{"row", "column"});
  CHECK(grid({2, 3, 4}).axis_names() == std::vector<std::string>{"frame", "row", "column"});
  CHECK(grid({2, 3}).highest(6) == 2);
  CHECK_THROWS_WITH(grid({2, 3}).positions(5, draws(1, 0)), check::contains("6 positions, not 5"));
}

TEST_CASE("positions that are drawn are different, rise, and depend on seed and repeat only") {
  const Placement placement = randomised(50);
  const std::vector<double> first = numbers(placement.positions(20, draws(1, 0)));
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i] >= (i ? first[i - 1] + 1 : 0));
    CHECK(first[i] < 50);
  }
  CHECK(numbers(placement.positions(20, draws(1, 0, "alibi"))) == first);
  CHECK(numbers(placement.positions(20, draws(1, 1))) != first);
  CHECK(numbers(placement.positions(20, draws(2, 0))) != first);
  const std::vector<double> all = numbers(randomised(20).positions(20, draws(1, 0)));
  for (std::size_t i = 0; i < 20; ++i) CHECK(all[i] == static_cast<double>(i));
  CHECK_THROWS_WITH(randomised(20).positions(21, draws(1, 0)), check::contains("cannot be 21 different numbers"));
}

TEST_CASE("every position is drawn as often as any other") {
  // 3 of 10, 4000 times: each is drawn 1200 times on average, with a standard deviation of 29.
  std::vector<int> counts(10, 0);
  for (int repeat = 0; repeat < 4000; ++repeat)
    for (const double position : numbers(randomised(10).positions(3, draws(7, repeat))))
      ++counts[static_cast<std::size_t>(position)];
  for (const int count : counts) {
    CHECK(count > 1200 - 150);
    CHECK(count < 1200 + 150);
  }
}

TEST_CASE("where tokens stand is part of a cell's identity, and plain positions are what they always were") {
  Cell cell;
  cell.experiment = "uniqueness";
  cell.variant = {"rope", "rope", {{"base", 1e4}}, {}};
  cell.axes = {{"length", std::int64_t{128}}};
  const std::string plain = identity(cell, "1", "1.0");
  CHECK(plain == "7707512973057eaec067fb9c78a0327f");  // as before there were policies
  std::set<std::string> ids{plain};
  for (const Placement& placement : {grid({16, 16}), grid({8, 32}), randomised(256), randomised(512)}) {
    cell.placement = placement;
    CHECK(ids.insert(identity(cell, "1", "1.0")).second);
  }
}
