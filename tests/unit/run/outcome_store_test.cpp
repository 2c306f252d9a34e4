// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/outcome_store.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "poslab/experiment/experiment.hpp"
#include "scratch.hpp"

using namespace poslab;
using journal::CellState;

namespace {

struct Listener : run::RunListener {
  void started(const run::RunStart& /*start*/) override {}
  void finished(const data::Cell& cell, const run::OutcomeSummary& outcome, double estimated) override {
    ids.push_back(cell.id);
    last.push_back(outcome);
    operations += estimated;
  }
  void starting(const data::Cell& cell) override { started_ids.push_back(cell.id); }
  void progressed(const data::Cell& cell, const data::Progress& said, double estimated) override {
    progress.push_back(cell.id + ": " + said.sentence + " of " + std::to_string(static_cast<int>(estimated)));
  }
  void stopping(int running) override { stopping_with = running; }
  void performed() override {}
  std::vector<std::string> ids, started_ids, progress;
  std::vector<run::OutcomeSummary> last;
  double operations = 0;
  int stopping_with = -1;
};

data::Catalogue catalogue_of_one() {
  data::Catalogue catalogue;
  data::ExperimentInfo& info = catalogue.experiments.emplace_back();
  info.id = "uniqueness";
  info.measures.emplace_back().name = "min_distance";
  return catalogue;
}

study::Plan plan_of_cells(int cells) {
  study::Plan plan;
  for (int i = 0; i < cells; ++i) {
    data::Cell& cell = plan.cells.emplace_back();
    cell.id = "cell-" + std::to_string(i);
    cell.experiment = "uniqueness";
    cell.repeat = i;
    plan.estimates.push_back({1, 10.0 + i});
  }
  return plan;
}

data::PackedOutcome measured(double value) {
  data::Outcome outcome;
  outcome.record.scalar("min_distance", value);
  return data::PackedOutcome(std::move(outcome));
}

double value_in(const std::optional<data::Outcome>& outcome) {
  REQUIRE(outcome);
  return outcome->record.measurement("min_distance")->values.at(0);
}

struct Store {
  /// `earlier`: index and value of what an earlier run has stored.
  explicit Store(int cells, const std::vector<std::pair<std::size_t, double>>& earlier = {})
      : plan(plan_of_cells(cells)), journal(scratch.path / "a.journal") {
    journal.begin({});
    for (const auto& [index, value] : earlier) journal.add(index, plan.cells[index], measured(value), {});
    journal.commit();
    store.emplace(plan, catalogue, journal, listener, false);
  }
  check::Scratch scratch;
  const data::Catalogue catalogue = catalogue_of_one();
  const study::Plan plan;
  journal::Journal journal;
  Listener listener;
  std::optional<run::OutcomeStore> store;
};

}  // namespace

TEST_CASE("outcomes: those of earlier runs are taken over, and the others arrive by their index in the plan") {
  Store s(3, {{1, 5}});
  const std::vector<CellState> states{CellState::fresh, CellState::kept, CellState::fresh};
  s.store->take_over(states);
  CHECK(s.store->summaries()[1]->last == std::vector<double>{5});
  CHECK(journal::remaining(states) == std::vector<std::size_t>{0, 2});
  s.store->finished(2, measured(7));
  CHECK(!s.store->summaries()[0]);
  CHECK(s.store->summaries()[2]->last == std::vector<double>{7});
  CHECK(!s.store->is_complete());
  s.store->finished(0, measured(6));
  CHECK(s.store->is_complete());
  CHECK(value_in(s.store->read(0)) == 6);
  CHECK(value_in(s.store->read(1)) == 5);
  CHECK(value_in(s.store->read(2)) == 7);
}

TEST_CASE("outcomes: a cell is told as done once it is on disk") {
  Store s(2);
  s.store->finished(1, measured(7));
  s.journal.commit();
  CHECK(s.listener.ids == std::vector<std::string>{"cell-1"});
  CHECK(s.listener.operations == 11);
  CHECK(journal::Journal::read(s.scratch.path / "a.journal").known.count("cell-1") == 1);
}

TEST_CASE("outcomes: what was not performed is told at once, and the journal keeps what it had") {
  Store s(2, {{0, 5}});
  data::Outcome refused;
  refused.status = data::Status::failed;
  refused.message = "its plugin was quarantined";
  s.store->not_performed(0, refused);
  CHECK(s.listener.ids == std::vector<std::string>{"cell-0"});
  CHECK(s.listener.last.at(0).message == "its plugin was quarantined");
  const auto read = s.store->read(0);
  REQUIRE(read);
  CHECK(read->status == data::Status::failed);
  CHECK(read->message == "its plugin was quarantined");
  CHECK(value_in(s.journal.outcome("cell-0")) == 5);
  CHECK(s.store->machines().empty());
  s.store->finished(1, measured(1));
  s.journal.commit();
  REQUIRE(s.store->machines().size() == 1);
  CHECK(s.store->machines()[0].cells == 1);
}

TEST_CASE("outcomes: a cell that has not run has none") {
  Store s(1);
  CHECK(!s.store->read(0));
  CHECK(!s.store->is_complete());
}

TEST_CASE("outcomes: what a long cell keeps is there for the next run until it is done") {
  Store s(3);
  CHECK(!s.store->checkpoint(2));
  const auto kept = std::make_shared<const data::Checkpoint>(data::Checkpoint{{7, 9, 0, "step 7"}, "state"});
  s.store->progressed({2, {3, 9, 300, "step 3"}});
  CHECK(!s.store->checkpoint(2));
  s.store->progressed({2, kept->progress, kept});
  CHECK(s.listener.progress == std::vector<std::string>{"cell-2: step 3 of 12", "cell-2: step 7 of 12"});
  CHECK(s.journal.has_checkpoint("cell-2"));
  REQUIRE(s.store->checkpoint(2));
  CHECK(s.store->checkpoint(2)->bytes == "state");
  CHECK(!s.store->checkpoint(0));
  CHECK(!s.store->token_speeds().empty());
  s.store->finished(2, measured(7));
  s.journal.commit();
  CHECK(!s.store->checkpoint(2));
  s.journal.keep(s.plan.cells[1], kept, "another maker");
  s.store->take_over({CellState::fresh, CellState::fresh, CellState::kept});
  CHECK(s.journal.has_checkpoint("cell-1"));
  s.journal.keep(s.plan.cells[2], kept, "left by a killed run");
  s.store->take_over({CellState::fresh, CellState::fresh, CellState::kept});
  CHECK(!s.journal.has_checkpoint("cell-2"));
}

TEST_CASE("outcomes: repeats that share work begin with what one of them has done") {
  const experiments::Experiment& experiment = experiments::find_experiment("length-generalisation");
  data::Catalogue catalogue;
  catalogue.experiments.push_back(experiment.info);
  study::Plan plan = plan_of_cells(7);
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    data::Cell& cell = plan.cells[i];
    cell.experiment = experiment.info.id;
    cell.repeat = static_cast<int>(i % 3);
    cell.shares_work = i < 6;
    for (const data::AxisInfo& axis : experiment.info.axes) cell.axes.set(axis.name, axis.default_value);
  }
  data::Outcome outcome;
  outcome.record.scalar("chosen_rate", 0.01);
  outcome.record.coordinate("tried_rate", {0.01, 0.1});
  outcome.record.curve("tried_loss", {"tried_rate"}, {1.5, 2});
  const std::string expected = experiment.at(plan.cells[0].axes)->head_start(outcome.record);
  REQUIRE_FALSE(expected.empty());
  check::Scratch scratch;
  journal::Journal journal(scratch.path / "a.journal");
  journal.begin({});
  Listener listener;
  run::OutcomeStore store(plan, catalogue, journal, listener, false);
  CHECK_FALSE(store.has_head_start(1));
  CHECK(!store.checkpoint(1));
  store.finished(0, data::PackedOutcome(data::Outcome{data::Status::failed, "it fell"}));
  CHECK_FALSE(store.has_head_start(1));
  store.finished(1, data::PackedOutcome(data::Outcome(outcome)));
  store.finished(6, data::PackedOutcome(data::Outcome(outcome)));  // shares nothing
  for (const std::size_t index : {0, 1, 2}) {
    CHECK(store.has_head_start(index));
    REQUIRE(store.checkpoint(index));
    CHECK(store.checkpoint(index)->bytes == expected);
  }
  for (const std::size_t index : {3, 4, 5, 6}) CHECK(!store.checkpoint(index));
  journal.commit();
  run::OutcomeStore next(plan, catalogue, journal, listener, false);
  next.take_over({CellState::fresh, CellState::kept, CellState::fresh, CellState::fresh, CellState::fresh,
                  CellState::fresh, CellState::kept});
  REQUIRE(next.checkpoint(2));
  CHECK(next.checkpoint(2)->bytes == expected);

  INFO("one that has failed after it, or goes on in the next run, has kept it");
  const auto checkpoint = [](const std::string& bytes) {
    return std::make_shared<const data::Checkpoint>(data::Checkpoint{{3, 9, 0, ""}, bytes});
  };
  store.progressed({3, {}, checkpoint("no checkpoint of it")});
  store.progressed({3, {}, checkpoint("")});
  CHECK_FALSE(store.has_head_start(4));
  store.progressed({3, {}, checkpoint(expected + "the rest")});
  run::OutcomeStore third(plan, catalogue, journal, listener, false);
  third.take_over(std::vector<CellState>(7, CellState::fresh));
  store.finished(3, data::PackedOutcome(data::Outcome{data::Status::failed, "it fell"}));
  for (run::OutcomeStore* one : {&store, &third}) {
    REQUIRE(one->has_head_start(4));
    REQUIRE(one->checkpoint(4));
    CHECK(one->checkpoint(4)->bytes == expected);
  }
  CHECK(!next.checkpoint(4));
  const auto own = std::make_shared<const data::Checkpoint>(data::Checkpoint{{7, 9, 0, "step 7"}, "its own"});
  next.progressed({2, own->progress, own});
  CHECK(next.checkpoint(2)->bytes == "its own");
}

TEST_CASE("a shard keeps why a cell was not performed, unless it has an older record, and performs it again") {
  study::Plan plan = plan_of_cells(3);
  plan.cells[2].skip = "not wanted";
  const data::Catalogue catalogue = catalogue_of_one();
  for (const bool is_shard : {true, false}) {
    check::Scratch scratch;
    journal::Journal journal(scratch.path / "a.journal");
    journal.begin({});
    Listener listener;
    run::OutcomeStore store(plan, catalogue, journal, listener, is_shard);
    store.take_over({CellState::fresh, CellState::plugin_changed, CellState::fresh});
    for (const std::size_t index : {0, 1, 2}) store.not_performed(index, {data::Status::crashed, "quarantined"});
    journal.commit();
    for (const std::size_t index : {0, 1, 2}) CHECK(store.read(index)->message == "quarantined");
    const auto known = journal::Journal::read(scratch.path / "a.journal").known;
    REQUIRE(known.size() == (is_shard ? 1 : 0));
    if (is_shard) CHECK(journal::ResumePlan(known, catalogue).of(plan.cells[0]) == CellState::crashed_before);
  }
}
