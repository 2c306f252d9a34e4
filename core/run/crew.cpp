// SPDX-License-Identifier: Apache-2.0
#include "crew.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace poslab::run {

class Crew::Threads {
 public:
  Threads(std::function<Performed(const base::Cell&)> perform, int threads, CrewEvents events)
      : perform_(std::move(perform)),
        events_(std::move(events)),
        threads_(threads),
        // One more than work: the thread that gives out the cells counts, too. The limit may lie above the number of
        // processors, which an arena alone cannot reach.
        limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads) + 1),
        arena_(threads, 0) {}

  void gather() {
    const auto here = std::make_shared<Gathering>();
    for (int thread = 0; thread < threads_; ++thread)
      arena_.enqueue([here, all = threads_] {
        std::unique_lock lock(here->mutex);
        ++here->count;
        here->changed.notify_all();
        here->changed.wait_for(lock, longest_gathering, [&] { return here->count == all; });
      });
    std::unique_lock lock(here->mutex);
    here->changed.wait_for(lock, longest_gathering, [&] { return here->count == threads_; });
  }

  ~Threads() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return in_hand_ == 0; });
  }

  void start(std::size_t index, base::Cell cell) {
    {
      const std::lock_guard lock(mutex_);
      ++in_hand_;
    }
    arena_.enqueue([this, index, cell = std::move(cell)] {
      events_.started(index);
      Performed performed;
      // A thread that waits inside this cell may help with this cell only: taking up another would hold both in memory.
      tbb::this_task_arena::isolate([&] { performed = perform_(cell); });
      events_.done(index, std::move(performed));
      const std::lock_guard lock(mutex_);
      if (--in_hand_ == 0) idle_.notify_all();
    });
  }

 private:
  struct Gathering {
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;
  };
  // oneTBB promises no number of threads, so nobody waits for ever.
  static constexpr std::chrono::milliseconds longest_gathering{500};

  std::function<Performed(const base::Cell&)> perform_;
  CrewEvents events_;
  int threads_;
  tbb::global_control limit_;
  tbb::task_arena arena_;
  std::mutex mutex_;
  std::condition_variable idle_;
  int in_hand_ = 0;
};

Crew::Crew(std::function<Performed(const base::Cell&)> perform, int threads, CrewEvents events)
    : threads_(std::make_unique<Threads>(std::move(perform), threads, std::move(events))) {}
Crew::~Crew() = default;
void Crew::gather() { threads_->gather(); }
void Crew::start(std::size_t index, base::Cell cell) { threads_->start(index, std::move(cell)); }

}  // namespace poslab::run
