// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/plan_overview.hpp"

#include "catch.hpp"

using namespace poslab;
using journal::CellState;

namespace {

void add_cell(study::Plan& plan, const std::string& experiment, double bytes, double operations,
              const std::string& skip = "") {
  data::Cell cell;
  cell.experiment = experiment;
  cell.variant.label = "rope";
  cell.skip = base::refusal_of(skip);
  plan.cells.push_back(cell);
  plan.estimates.push_back({bytes, operations});
}

}  // namespace

TEST_CASE("shares: what is kept needs nothing more, and the largest cell counts, not the sum") {
  study::Plan plan;
  add_cell(plan, "a", 10, 1);
  add_cell(plan, "b", 7, 2);
  add_cell(plan, "a", 100, 4);
  add_cell(plan, "a", 20, 8);
  const run::PlanShares shares =
      run::shares_of(plan, {CellState::fresh, CellState::seed_changed, CellState::kept, CellState::fresh});
  REQUIRE(shares.experiments.size() == 2);
  const run::PlanShare &a = shares.experiments[0], &b = shares.experiments[1];
  CHECK(a.experiment == "a");
  CHECK(a.to_run == 2);
  CHECK(a.kept == 1);
  CHECK(a.bytes == 20);
  CHECK(a.operations == 9);
  CHECK(b.experiment == "b");
  CHECK(b.to_run == 1);
  CHECK(shares.all.to_run == 3);
  CHECK(shares.all.kept == 1);
  CHECK(shares.all.bytes == 20);
  CHECK(shares.all.operations == 11);
  CHECK(shares.states ==
        std::map<CellState, std::size_t>{{CellState::kept, 1}, {CellState::fresh, 2}, {CellState::seed_changed, 1}});
}

TEST_CASE("shares: skipped cells are counted by their reasons, and not by the journal's state") {
  study::Plan plan;
  add_cell(plan, "a", 0, 0, "too long");
  add_cell(plan, "a", 0, 0, "too long");
  add_cell(plan, "a", 0, 0, "no grid");
  const run::PlanShares shares = run::shares_of(plan, {CellState::fresh, CellState::fresh, CellState::fresh});
  CHECK(shares.all.skipped == 3);
  CHECK(shares.all.to_run == 0);
  CHECK(shares.states.empty());
  CHECK(shares.skipped ==
        std::map<run::CellsWithReason, std::size_t>{{{"a", "rope", "too long"}, 2}, {{"a", "rope", "no grid"}, 1}});
}

TEST_CASE("shares: threads divide the time that is guessed") {
  CHECK(run::guessed_seconds(4e9, 1) == 1);
  CHECK(run::guessed_seconds(4e9, 4) == 0.25);
}
