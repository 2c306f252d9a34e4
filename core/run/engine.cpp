// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/engine.hpp"

#include <algorithm>
#include <list>
#include <numeric>

namespace poslab::run {
namespace {

// Into plans of a hundred thousand cells, of which the next do not fit into memory, a look ahead stays bounded.
constexpr int most_looked_at = 1000;

bool is_failure(const base::Outcome& outcome) {
  return outcome.status != base::Status::ok && outcome.status != base::Status::skipped;
}

class Engine {
 public:
  Engine(const spec::Plan& plan, Executor& executor, const EngineOptions& options, RecordSink& sink)
      : plan_(plan), executor_(executor), options_(options), sink_(sink) {
    std::vector<std::size_t> order(plan.cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // The longest first, so that no large cell is left for the end when the other threads have nothing to do.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return plan.estimates[a].operations > plan.estimates[b].operations;
    });
    for (const std::size_t index : order)
      if (plan.cells[index].skip.empty()) waiting_.push_back(index);
  }

  void run() {
    finish_skipped();
    for (start_what_fits(); in_flight_ > 0; start_what_fits()) {
      for (Finished& finished : executor_.wait()) take_up(std::move(finished));
      if (!told_ && was_stopped() && in_flight_ > 0) sink_.stopping(in_flight_), told_ = true;
    }
  }

 private:
  bool was_stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }
  bool stopped() const { return failed_ || was_stopped(); }

  void finish_skipped() {
    for (std::size_t index = 0; index < plan_.cells.size() && !stopped(); ++index) {
      if (plan_.cells[index].skip.empty()) continue;
      base::Outcome outcome;
      outcome.status = base::Status::skipped;
      outcome.message = plan_.cells[index].skip;
      sink_.not_performed(index, std::move(outcome));
    }
  }

  // Starts waiting cells until all places are taken or the next ones do not fit into memory beside those in flight.
  void start_what_fits() {
    auto next = waiting_.begin();
    int looked_at = 0;
    while (next != waiting_.end() && in_flight_ < executor_.places() && !stopped() && looked_at < most_looked_at) {
      const double bytes = plan_.estimates[*next].bytes;
      if (in_flight_ > 0 && bytes_in_flight_ + bytes > options_.memory_budget) {
        ++next, ++looked_at;
        continue;
      }
      ++in_flight_;
      bytes_in_flight_ += bytes;
      executor_.start(*next, plan_.cells[*next]);
      next = waiting_.erase(next);
    }
  }

  void take_up(Finished finished) {
    --in_flight_;
    bytes_in_flight_ -= plan_.estimates[finished.index].bytes;
    if (is_failure(finished.outcome) && options_.fail_fast) failed_ = true;
    start_what_fits();  // first: nobody shall be idle while this outcome is kept
    if (finished.performed)
      sink_.finished(finished.index, std::move(finished.outcome));
    else
      sink_.not_performed(finished.index, std::move(finished.outcome));
  }

  const spec::Plan& plan_;
  Executor& executor_;
  const EngineOptions& options_;
  RecordSink& sink_;
  std::list<std::size_t> waiting_;
  int in_flight_ = 0;
  double bytes_in_flight_ = 0;
  bool failed_ = false, told_ = false;
};

}  // namespace

void perform_all(const spec::Plan& plan, Executor& executor, const EngineOptions& options, RecordSink& sink) {
  Engine(plan, executor, options, sink).run();
}

}  // namespace poslab::run
