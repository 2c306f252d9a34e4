// SPDX-License-Identifier: Apache-2.0
#include "commands/run.hpp"

#include "catch.hpp"

using namespace poslab;
using journal::CellState;

namespace {

run::PreparedRun prepared() {
  run::PreparedRun run;
  run.request.threads = 2;
  run.request.memory = 0x1p30;
  run.study.title = "a plan";
  run.part.whole = 5;
  for (int i = 0; i < 2; ++i) {
    data::Cell& cell = run.part.plan.cells.emplace_back();
    cell.experiment = "uniqueness";
    cell.variant.label = "rope";
    cell.axes = {{"length", std::int64_t{8}}};
    cell.repeat = i;
  }
  return run;
}

run::PlanOverview overview() {
  run::PlanOverview overview;
  overview.shares.experiments.push_back({"uniqueness", 3, 2, 1, 80e9, 0x1p20});
  overview.shares.all = {"", 3, 2, 1, 80e9, 0x1p20};
  overview.shares.states = {{CellState::kept, 2}, {CellState::fresh, 3}};
  overview.shares.skipped = {{{"uniqueness", "cope", "too long"}, 1}};
  overview.reasons = {"new", "seed changed"};
  return overview;
}

}  // namespace

TEST_CASE("plan: a table of what would run, and the reasons") {
  CHECK(app::plan_text(prepared(), overview(), false) ==
        "a plan\n\n"
        "experiment                to run    kept  skipped    largest cell time, guessed\n"
        "uniqueness                     3       2        1         1.0 MiB          10 s\n"
        "all                            3       2        1         1.0 MiB          10 s\n"
        "\n2 threads, memory for cells 1.0 GiB.\n"
        "       2 cells: kept\n"
        "       3 cells: new\n"
        "\nSkipped:\n"
        "     1 x uniqueness of cope: too long\n");
}

TEST_CASE("plan: cells whose needs are not known are told, as they are in no number") {
  run::PlanOverview some = overview();
  some.shares.of_unknown_needs = {{{"uniqueness", "mine", "it threw"}, 4}};
  CHECK_THAT(app::plan_text(prepared(), some, false),
             check::contains("not known") && check::contains("   4 x uniqueness of mine: it threw\n"));
}

TEST_CASE("plan: what is unusual comes with it: positions, a shard, cells that nobody asks for") {
  run::PreparedRun run = prepared();
  run.request.shard = data::Shard{2, 3};
  run.study.placement.policy = data::Placement::Policy::grid;
  run.study.placement.extents = {2, 4};
  run::PlanOverview some = overview();
  some.unasked = 4;
  some.going_on = 2;
  const std::string text = app::plan_text(run, some, false);
  CHECK_THAT(text, check::starts_with("shard 2 of 3: 2 of 5 cells\na plan\npositions = " + run.study.placement.text() +
                                      "\n\n"));
  CHECK_THAT(text, check::contains("       4 cells more are in the journal, of what was asked before"));
}

TEST_CASE("plan: --verbose has a line for each cell") {
  CHECK_THAT(app::plan_text(prepared(), overview(), true),
             check::contains("\nCells:\n  uniqueness of rope length=8 repeat=0: new\n"
                             "  uniqueness of rope length=8 repeat=1: seed changed\n"));
}
