// SPDX-License-Identifier: Apache-2.0
// When cells of a worker are overdue.
#include "assigned_cells.hpp"

#include "catch.hpp"

using namespace poslab;
using namespace std::chrono_literals;
using workers::AssignedCells;
using Indices = std::vector<std::size_t>;

namespace {

const workers::Clock::time_point start{};

AssignedCells with(const Indices& indices) {
  AssignedCells cells;
  for (const std::size_t index : indices) cells.add({index, {}}, start);
  return cells;
}

}  // namespace

TEST_CASE("a cell that has started is overdue after its time limit, one that waits for a thread after twice as long") {
  AssignedCells cells = with({3, 5});
  cells.mark_started(5, start + 4s);
  CHECK(cells.started() == Indices{5});
  CHECK(cells.overdue(10, start + 14s).empty());
  CHECK(cells.overdue(10, start + 14001ms) == Indices{5});
  CHECK(cells.overdue(10, start + 20s) == Indices{5});
  CHECK(cells.overdue(10, start + 20001ms) == Indices{3, 5});
}

TEST_CASE(
    "a cell that goes on has all of its time again, and so have those that wait for it, one that only says so has "
    "not") {
  AssignedCells cells = with({3, 5, 7});
  cells.mark_started(5, start);
  cells.mark_started(7, start);
  CHECK(cells.said(5).empty());
  CHECK(!cells.mark_progress(4, {1, 9, 0, ""}, start));
  CHECK(cells.mark_progress(5, {800, 2000, 0, "step 800"}, start + 9s));
  CHECK(cells.overdue(10, start + 19s) == Indices{7});
  CHECK(cells.mark_progress(5, {800, 2000, 0, "still at step 800"}, start + 15s));
  CHECK(cells.said(5) == "step 800");
  CHECK(cells.overdue(10, start + 19001ms) == Indices{5, 7});
  CHECK(cells.overdue(10, start + 29s) == Indices{5, 7});
  CHECK(cells.overdue(10, start + 29001ms) == Indices{3, 5, 7});
}

TEST_CASE("a cell takes along what it has kept") {
  AssignedCells cells = with({3, 5});
  const auto kept = std::make_shared<const data::Checkpoint>(data::Checkpoint{{7, 9, 0, "step 7"}, ""});
  cells.keep(5, kept);
  cells.keep(4, kept);
  CHECK(cells.said(5) == "step 7");
  CHECK(cells.remove(5)->checkpoint == kept);
  CHECK(!cells.remove(3)->checkpoint);
}

TEST_CASE("time in which nobody received messages does not count, for cells that have started or not") {
  AssignedCells cells = with({3, 5});
  cells.mark_started(5, start);
  cells.postpone(100s);
  CHECK(cells.overdue(10, start + 110s).empty());
  CHECK(cells.overdue(10, start + 111s) == Indices{5});
  CHECK(cells.overdue(10, start + 121s) == Indices{3, 5});
}

TEST_CASE("cells that are removed, or were never there, are neither started nor overdue") {
  AssignedCells cells = with({3, 5});
  cells.mark_started(4, start);
  CHECK(cells.size() == 2);
  CHECK(!cells.remove(4));
  const auto task = cells.remove(3);
  REQUIRE(task);
  CHECK(task->index == 3);
  CHECK(!cells.remove(3));
  CHECK(cells.overdue(1, start + 60s) == Indices{5});
  CHECK(cells.remove_all().size() == 1);
  CHECK(cells.size() == 0);
  CHECK(cells.overdue(1, start + 60s).empty());
}
