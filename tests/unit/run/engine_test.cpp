// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/engine.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "catch.hpp"
#include "poslab/data/outcome.hpp"
#include "thread_pool.hpp"

using namespace poslab;

namespace {

study::Plan plan_of(std::size_t cells) {
  study::Plan plan;
  for (std::size_t i = 0; i < cells; ++i) {
    data::Cell cell;
    cell.id = std::to_string(i);
    cell.repeat = static_cast<int>(i);
    plan.cells.push_back(cell);
    plan.estimates.push_back({1e6, static_cast<double>(i % 7)});
  }
  return plan;
}

void perform_whole(const study::Plan& plan, workers::CellExecutor& executor, const run::EngineOptions& options,
                   run::OutcomeSink& sink) {
  std::vector<std::size_t> indices(plan.cells.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  run::perform_all(plan, indices, executor, options, sink);
}

struct Collect : run::OutcomeSink {
  void starting(std::size_t index) override { started.push_back(index); }
  void finished(std::size_t index, data::PackedOutcome outcome) override {
    CHECK(std::count(started.begin(), started.end(), index) == 1);
    not_performed(index, outcome.outcome());
  }
  void not_performed(std::size_t index, data::Outcome outcome) override {
    REQUIRE(outcomes.count(index) == 0);
    outcomes.emplace(index, std::move(outcome));
  }
  std::map<std::size_t, data::Outcome> outcomes;
  std::vector<std::size_t> started;
};

data::Outcome square(const data::Cell& cell) {
  data::Outcome outcome;
  outcome.record.scalar("square", static_cast<double>(cell.repeat) * cell.repeat);
  return outcome;
}

using Perform = std::function<data::Outcome(const data::Cell&)>;

// Performs on a thread pool, as the backends do.
class Threads : public workers::CellExecutor {
 public:
  Threads(int threads, const Perform& perform)
      : threads_(threads),
        perform_(perform),
        thread_pool_(threads, {[](std::size_t) {},
                               [this](std::size_t index, workers::Performed performed) {
                                 const std::lock_guard lock(mutex_);
                                 finished_.push_back({index, data::PackedOutcome(std::move(performed.outcome))});
                               }}) {}
  int slots() const override { return threads_; }
  void start(std::size_t index, const data::Cell& cell, data::CheckpointPointer /*checkpoint*/) override {
    thread_pool_.start(index, [this, cell] { return workers::Performed{perform_(cell)}; });
  }
  std::vector<workers::Finished> wait() override {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, {});
  }

 private:
  int threads_;
  Perform perform_;
  std::mutex mutex_;
  std::vector<workers::Finished> finished_;
  workers::ThreadPool thread_pool_;
};

struct How {
  int threads;
  double memory_budget;
  bool fail_fast;
  const std::atomic<bool>* stop;
};

void perform_all(const study::Plan& plan, const Perform& perform, const How& how, run::OutcomeSink& sink) {
  Threads threads(how.threads, perform);
  perform_whole(plan, threads, {how.memory_budget, how.fail_fast, how.stop}, sink);
}

}  // namespace

TEST_CASE("every cell is performed once, on any number of threads") {
  const study::Plan plan = plan_of(500);
  for (const int threads : {1, 2, 8}) {
    Collect sink;
    perform_all(plan, square, {threads, 1e9, false, nullptr}, sink);
    REQUIRE(sink.outcomes.size() == 500);
    for (const auto& [index, outcome] : sink.outcomes)
      CHECK(outcome.record.measurement("square")->values.front() == static_cast<double>(index * index));
  }
}

TEST_CASE("only the cells that are asked for are performed, each under its index in the plan") {
  const study::Plan plan = plan_of(9);
  Threads threads(2, square);
  Collect sink;
  const std::vector<std::size_t> asked{2, 3, 7};
  run::perform_all(plan, asked, threads, {1e9, false, nullptr}, sink);
  REQUIRE(sink.outcomes.size() == 3);
  for (const std::size_t index : asked)
    CHECK(sink.outcomes.at(index).record.measurement("square")->values.front() == static_cast<double>(index * index));
}

TEST_CASE("no more cells are in flight than threads, nor more than memory allows") {
  const study::Plan plan = plan_of(60);
  for (const auto& [threads, budget, most] : {std::tuple{4, 1e9, 4}, std::tuple{4, 2.5e6, 2}, std::tuple{4, 1.0, 1}}) {
    std::atomic<int> in_flight{0}, peak{0};
    Collect sink;
    const Perform perform = [&](const data::Cell& cell) {
      const int now = ++in_flight;
      for (int seen = peak; now > seen && !peak.compare_exchange_weak(seen, now);) {
      }
      // Inner parallelism: a waiting thread must not take up another cell.
      tbb::parallel_for(0, 50, [&](int) { std::this_thread::sleep_for(std::chrono::microseconds(20)); });
      --in_flight;
      return square(cell);
    };
    perform_all(plan, perform, {threads, budget, false, nullptr}, sink);
    CHECK(sink.outcomes.size() == 60);
    CHECK(peak <= most);
  }
}

TEST_CASE("as many cells are in flight at once as there are threads, also more than processors") {
  const study::Plan plan = plan_of(32);
  for (const int threads : {2, 8, 16}) {
    std::atomic<int> in_flight{0};
    std::atomic<bool> met{false};
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    Collect sink;
    const Perform perform = [&](const data::Cell& cell) {
      if (++in_flight == threads) met = true;
      while (!met && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      --in_flight;
      return square(cell);
    };
    perform_all(plan, perform, {threads, 1e9, false, nullptr}, sink);
    CHECK(met);
    CHECK(sink.outcomes.size() == 32);
  }
}

TEST_CASE("expensive cells go first") {
  const study::Plan plan = plan_of(50);
  std::vector<double> order;
  Collect sink;
  perform_all(
      plan,
      [&](const data::Cell& cell) {
        order.push_back(plan.estimates[static_cast<std::size_t>(cell.repeat)].operations);
        return square(cell);
      },
      {1, 1e9, false, nullptr}, sink);
  CHECK(std::is_sorted(order.rbegin(), order.rend()));
}

TEST_CASE("cells that want to be alone come after all others, and one at a time, the expensive ones first") {
  const study::Plan plan = plan_of(60);
  const auto alone = [](const data::Cell& cell) { return cell.repeat % 4 == 3; };
  for (const auto& [threads, budget] : {std::tuple{1, 1e9}, std::tuple{8, 1e9}, std::tuple{8, 2.5e6}}) {
    std::atomic<int> in_flight{0}, beside{0};
    const Perform perform = [&](const data::Cell& cell) {
      if (++in_flight > 1 && alone(cell)) ++beside;
      std::this_thread::sleep_for(std::chrono::microseconds(300));
      if (in_flight > 1 && alone(cell)) ++beside;
      --in_flight;
      return square(cell);
    };
    Collect sink;
    Threads executor(threads, perform);
    perform_whole(plan, executor, {budget, false, nullptr, alone}, sink);
    CHECK(sink.outcomes.size() == 60);
    CHECK(beside == 0);
    REQUIRE(sink.started.size() == 60);
    for (std::size_t i = 0; i < 60; ++i) CHECK(alone(plan.cells[sink.started[i]]) == (i >= 45));
    CHECK(std::is_sorted(sink.started.begin() + 45, sink.started.end(), [&](std::size_t a, std::size_t b) {
      return plan.estimates[a].operations > plan.estimates[b].operations;
    }));
  }
}

TEST_CASE("a failed cell stops nothing, unless asked to") {
  const study::Plan plan = plan_of(40);
  const Perform perform = [](const data::Cell& cell) {
    data::Outcome outcome;
    if (cell.repeat == 6) outcome.status = data::Status::failed;  // among the most expensive: an early one
    return outcome;
  };
  Collect all, few;
  perform_all(plan, perform, {1, 1e9, false, nullptr}, all);
  CHECK(all.outcomes.size() == 40);
  perform_all(plan, perform, {1, 1e9, true, nullptr}, few);
  CHECK(few.outcomes.size() == 1);
  CHECK(few.outcomes.begin()->second.status == data::Status::failed);
}

TEST_CASE("stopping from outside finishes what is in flight and starts nothing more") {
  const study::Plan plan = plan_of(40);
  std::atomic<bool> stop{false};
  Collect sink;
  const Perform perform = [&](const data::Cell& cell) {
    stop = true;
    return square(cell);
  };
  perform_all(plan, perform, {1, 1e9, false, &stop}, sink);
  CHECK(sink.outcomes.size() == 1);
}

TEST_CASE("cells that were planned as skipped are finished without being performed") {
  study::Plan plan = plan_of(4);
  plan.cells[1].skip = "not today";
  Collect sink;
  perform_all(plan, square, {2, 1e9, false, nullptr}, sink);
  REQUIRE(sink.outcomes.size() == 4);
  CHECK(sink.outcomes.at(1).status == data::Status::skipped);
  CHECK(sink.outcomes.at(1).message == "not today");
  CHECK(sink.outcomes.at(2).status == data::Status::ok);
}

TEST_CASE("a stop is told once, with what still runs, and nothing more is begun") {
  struct Slow : workers::CellExecutor {
    int slots() const override { return 3; }
    void start(std::size_t index, const data::Cell&, data::CheckpointPointer) override { running.push_back(index); }
    std::vector<workers::Finished> wait() override {
      stop = true;  // as if somebody had pressed Ctrl-C meanwhile
      if (++waits < 3) return {};
      return {{std::exchange(running, std::vector(running.begin() + 1, running.end())).front(), {}}};
    }
    std::vector<std::size_t> running;
    std::atomic<bool> stop{false};
    int waits = 0;
  } slow;
  struct Stops : Collect {
    void stopping(int running) override { told.push_back(running); }
    std::vector<int> told;
  } sink;
  perform_whole(plan_of(20), slow, {1e9, false, &slow.stop}, sink);
  CHECK(sink.told == std::vector{3});
  CHECK(sink.outcomes.size() == 3);
}

TEST_CASE("a stop interrupts what is in flight: such a cell has no outcome, and nobody waits for it") {
  struct Long : workers::CellExecutor {
    int slots() const override { return 2; }
    void start(std::size_t index, const data::Cell&, data::CheckpointPointer) override { cells.push_back(index); }
    std::vector<workers::Finished> wait() override {
      stop = true;
      std::vector<workers::Finished> ended;
      if (interrupts > 0)
        for (const std::size_t cell : std::exchange(cells, {}))
          ended.push_back({cell, {}, workers::Finished::How::interrupted});
      return ended;
    }
    void interrupt() override { ++interrupts; }
    std::atomic<bool> stop{false};
    std::vector<std::size_t> cells;
    int interrupts = 0;
  } executor;
  Collect sink;
  perform_whole(plan_of(5), executor, {1e9, false, &executor.stop}, sink);
  CHECK(executor.interrupts == 1);
  CHECK(sink.started.size() == 2);
  CHECK(sink.outcomes.empty());
}

TEST_CASE("a cell begins with its checkpoint, and what it says of itself is told before it is done") {
  struct Long : workers::CellExecutor {
    int slots() const override { return 1; }
    void start(std::size_t index, const data::Cell&, data::CheckpointPointer checkpoint) override {
      running = index;
      begun_with.push_back(checkpoint ? checkpoint->bytes : "nothing");
    }
    std::vector<workers::Finished> wait() override { return {{running, {}}}; }
    std::vector<workers::ProgressReport> progress_reports() override {
      return {{running, {7, 9, 0, "step 7 of 9"}, std::make_shared<data::Checkpoint>()}};
    }
    std::size_t running = 0;
    std::vector<std::string> begun_with;
  } long_cells;
  struct Keeps : Collect {
    data::CheckpointPointer checkpoint(std::size_t index) override {
      return index == 1 ? std::make_shared<data::Checkpoint>(data::Checkpoint{{}, "of cell 1"}) : nullptr;
    }
    void progressed(const workers::ProgressReport& report) override {
      CHECK(outcomes.count(report.index) == 0);
      CHECK(report.progress.done == 7);
      told.push_back(report.index);
    }
    std::vector<std::size_t> told;
  } sink;
  perform_whole(plan_of(3), long_cells, {1e9, false, nullptr}, sink);
  CHECK(long_cells.begun_with == std::vector<std::string>{"nothing", "of cell 1", "nothing"});
  CHECK(sink.told == std::vector<std::size_t>{2, 1, 0});
  CHECK(sink.outcomes.size() == 3);
}

namespace {

// A plan of so many groups of three repeats, which share work.
study::Plan sharing(std::size_t groups) {
  study::Plan plan = plan_of(3 * groups);
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    plan.cells[i].repeat = static_cast<int>(i % 3);
    plan.cells[i].shares_work = true;
    plan.estimates[i].operations = i % 3 == 0 ? 10 : 1;
  }
  return plan;
}

// One that knows what shared work is done once a repeat is good.
struct Sharing : Collect {
  bool has_head_start(std::size_t index) const override { return done.count(index / 3) > 0; }
  void starting(std::size_t index) override {
    Collect::starting(index);
    const std::size_t group = index / 3;
    const auto in_flight = [&](std::size_t other) { return other / 3 == group && outcomes.count(other) == 0; };
    if (!has_head_start(index)) CHECK(std::count_if(started.begin(), started.end(), in_flight) == 1);
    if (has_head_start(index)) ++with_head_start;
  }
  void finished(std::size_t index, data::PackedOutcome outcome) override {
    const data::Status status = outcome.outcome().status;
    Collect::finished(index, std::move(outcome));
    if (status == data::Status::ok) done.insert(index / 3);
  }
  std::set<std::size_t> done;
  int with_head_start = 0;
};

}  // namespace

TEST_CASE("of repeats that share work one goes before the others") {
  const study::Plan plan = sharing(40);
  for (const int threads : {1, 2, 8}) {
    Sharing all;
    perform_all(plan, square, {threads, 1e9, false, nullptr}, all);
    CHECK(all.outcomes.size() == plan.cells.size());
    CHECK(all.with_head_start == 80);
  }
}

TEST_CASE("where the first of them fails, the next does what they share") {
  const study::Plan plan = sharing(40);
  const auto first_fails = [](const data::Cell& cell) {
    data::Outcome outcome = square(cell);
    if (cell.repeat == 0) outcome.status = data::Status::failed;
    return outcome;
  };
  Sharing all;
  perform_all(plan, first_fails, {8, 1e9, false, nullptr}, all);
  CHECK(all.outcomes.size() == plan.cells.size());
  CHECK(all.with_head_start == 40);
}
