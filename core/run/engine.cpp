// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/engine.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <list>
#include <mutex>
#include <numeric>

namespace poslab::run {
namespace {

class Engine {
 public:
  Engine(const spec::Plan& plan, const Performer& perform, const EngineOptions& options, RecordSink& sink)
      : plan_(plan), perform_(perform), options_(options), sink_(sink) {
    std::vector<std::size_t> order(plan.cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // The longest first, so that no large cell is left for the end when the other threads have nothing to do.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return plan.estimates[a].operations > plan.estimates[b].operations;
    });
    waiting_.assign(order.begin(), order.end());
  }

  void run() {
    start_what_fits();
    tasks_.wait();
  }

 private:
  bool stopped() const { return failed_ || (options_.stop && options_.stop->load(std::memory_order_relaxed)); }

  // Starts waiting cells until the threads are busy or the next ones do not fit into memory beside those in flight.
  void start_what_fits() {
    const std::lock_guard lock(mutex_);
    auto next = waiting_.begin();
    int looked_at = 0;
    while (next != waiting_.end() && in_flight_ < options_.threads && !stopped()) {
      const double bytes = plan_.estimates[*next].bytes;
      if (in_flight_ == 0 || bytes_in_flight_ + bytes <= options_.memory_budget) {
        const std::size_t index = *next;
        next = waiting_.erase(next);
        ++in_flight_;
        bytes_in_flight_ += bytes;
        tasks_.run([this, index] { perform(index); });
      } else if (++looked_at < 1000) {
        ++next;
      } else {
        break;  // a bounded look ahead keeps this cheap in plans of a hundred thousand cells
      }
    }
  }

  void perform(std::size_t index) {
    {
      const std::lock_guard lock(sink_mutex_);
      sink_.started(index);
    }
    base::Outcome outcome;
    // A thread that waits inside this cell may help with this cell only: taking up another one would hold both in memory.
    tbb::this_task_arena::isolate([&] { outcome = perform_(plan_.cells[index]); });
    const bool failed = outcome.status != base::Status::ok && outcome.status != base::Status::skipped;
    {
      const std::lock_guard lock(sink_mutex_);
      sink_.finished(index, std::move(outcome));
    }
    {
      const std::lock_guard lock(mutex_);
      --in_flight_;
      bytes_in_flight_ -= plan_.estimates[index].bytes;
      if (failed && options_.fail_fast) failed_ = true;
    }
    start_what_fits();
  }

  const spec::Plan& plan_;
  const Performer& perform_;
  const EngineOptions& options_;
  RecordSink& sink_;
  std::mutex mutex_, sink_mutex_;
  std::list<std::size_t> waiting_;
  int in_flight_ = 0;
  double bytes_in_flight_ = 0;
  bool failed_ = false;
  tbb::task_group tasks_;
};

}  // namespace

void perform_all(const spec::Plan& plan, const Performer& perform, const EngineOptions& options, RecordSink& sink) {
  // global_control first: it may raise the limit above the number of processors, which an arena alone cannot.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(options.threads));
  tbb::task_arena arena(options.threads);
  arena.execute([&] { Engine(plan, perform, options, sink).run(); });
}

}  // namespace poslab::run
