// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/engine.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "catch.hpp"

using namespace poslab;

namespace {

spec::Plan plan_of(std::size_t cells) {
  spec::Plan plan;
  for (std::size_t i = 0; i < cells; ++i) {
    base::Cell cell;
    cell.id = std::to_string(i);
    cell.repeat = static_cast<int>(i);
    plan.cells.push_back(cell);
    plan.estimates.push_back({1e6, static_cast<double>(i % 7)});
  }
  return plan;
}

struct Collect : run::RecordSink {
  void finished(std::size_t index, base::Outcome outcome) override {
    REQUIRE(outcomes.count(index) == 0);
    outcomes.emplace(index, std::move(outcome));
  }
  std::map<std::size_t, base::Outcome> outcomes;
};

base::Outcome square(const base::Cell& cell) {
  base::Outcome outcome;
  outcome.record.scalar("square", static_cast<double>(cell.repeat) * cell.repeat);
  return outcome;
}

}  // namespace

TEST_CASE("every cell is performed once, on any number of threads") {
  const spec::Plan plan = plan_of(500);
  for (const int threads : {1, 2, 8}) {
    Collect sink;
    run::perform_all(plan, square, {threads, 1e9, false, nullptr}, sink);
    REQUIRE(sink.outcomes.size() == 500);
    for (const auto& [index, outcome] : sink.outcomes)
      CHECK(outcome.record.measurement("square")->values.front() == static_cast<double>(index * index));
  }
}

TEST_CASE("no more cells are in flight than threads, nor more than memory allows") {
  const spec::Plan plan = plan_of(60);
  for (const auto& [threads, budget, most] : {std::tuple{4, 1e9, 4}, std::tuple{4, 2.5e6, 2}, std::tuple{4, 1.0, 1}}) {
    std::atomic<int> in_flight{0}, peak{0};
    Collect sink;
    const run::Performer perform = [&](const base::Cell& cell) {
      const int now = ++in_flight;
      for (int seen = peak; now > seen && !peak.compare_exchange_weak(seen, now);) {
      }
      // Inner parallelism: a waiting thread must not take up another cell.
      tbb::parallel_for(0, 50, [&](int) { std::this_thread::sleep_for(std::chrono::microseconds(20)); });
      --in_flight;
      return square(cell);
    };
    run::perform_all(plan, perform, {threads, budget, false, nullptr}, sink);
    CHECK(sink.outcomes.size() == 60);
    CHECK(peak <= most);
  }
}

TEST_CASE("expensive cells go first") {
  const spec::Plan plan = plan_of(50);
  std::vector<double> order;
  Collect sink;
  run::perform_all(
      plan,
      [&](const base::Cell& cell) {
        order.push_back(plan.estimates[static_cast<std::size_t>(cell.repeat)].operations);
        return square(cell);
      },
      {1, 1e9, false, nullptr}, sink);
  CHECK(std::is_sorted(order.rbegin(), order.rend()));
}

TEST_CASE("a failed cell stops nothing, unless asked to") {
  const spec::Plan plan = plan_of(40);
  const run::Performer perform = [](const base::Cell& cell) {
    base::Outcome outcome;
    if (cell.repeat == 6) outcome.status = base::Status::failed;  // among the most expensive: an early one
    return outcome;
  };
  Collect all, few;
  run::perform_all(plan, perform, {1, 1e9, false, nullptr}, all);
  CHECK(all.outcomes.size() == 40);
  run::perform_all(plan, perform, {1, 1e9, true, nullptr}, few);
  CHECK(few.outcomes.size() == 1);
  CHECK(few.outcomes.begin()->second.status == base::Status::failed);
}

TEST_CASE("stopping from outside finishes what is in flight and starts nothing more") {
  const spec::Plan plan = plan_of(40);
  std::atomic<bool> stop{false};
  Collect sink;
  const run::Performer perform = [&](const base::Cell& cell) {
    stop = true;
    return square(cell);
  };
  run::perform_all(plan, perform, {1, 1e9, false, &stop}, sink);
  CHECK(sink.outcomes.size() == 1);
}
