// SPDX-License-Identifier: Apache-2.0
#include "assigned_cells.hpp"

#include "catch.hpp"

using namespace poslab;

namespace {

workers::Task task(std::size_t index, const std::string& scheme = "rope") {
  data::Cell cell;
  cell.variant.scheme = scheme;
  return {index, cell, 0};
}

}  // namespace

TEST_CASE("cells leave the queue in their order, those that wait again before the others, suspects apart") {
  workers::CellQueue queue;
  queue.add(task(1));
  queue.add(task(2));
  queue.add_first(task(3));
  queue.add_suspect(task(4));
  CHECK(queue.take_waiting().index == 3);
  CHECK(queue.take_waiting().index == 1);
  CHECK(queue.take_waiting().index == 2);
  CHECK(!queue.has_waiting());
  CHECK(queue.has_suspects());
  CHECK(queue.take_suspect().index == 4);
  CHECK(!queue.has_suspects());
}

TEST_CASE("cells of one plugin are removed from the queue, suspects too, and the others keep their order") {
  workers::CellQueue queue;
  for (std::size_t i = 0; i < 6; ++i) queue.add(task(i, i % 2 == 0 ? "bad" : "good"));
  queue.add_suspect(task(6, "good"));
  queue.add_suspect(task(7, "bad"));
  const auto removed = queue.remove_if([](const data::Cell& cell) { return cell.variant.scheme == "bad"; });
  CHECK(removed == std::vector<std::size_t>{0, 2, 4, 7});
  for (const std::size_t left : {1, 3, 5}) CHECK(queue.take_waiting().index == left);
  CHECK(!queue.has_waiting());
  CHECK(queue.take_suspect().index == 6);
  CHECK(!queue.has_suspects());
}
