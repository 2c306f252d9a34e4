// SPDX-License-Identifier: Apache-2.0
#include "thread_pool.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace poslab::workers {

class ThreadPool::Threads {
 public:
  Threads(int threads, ThreadPoolEvents events)
      : events_(std::move(events)),
        threads_(threads),
        // One more than perform cells: oneTBB counts the thread that enqueues them, too. The limit may be above the
        // number of processors, which an arena alone cannot reach.
        limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads) + 1),
        arena_(threads, 0) {}

  void start_threads() {
    const auto meeting = std::make_shared<Meeting>();
    for (int thread = 0; thread < threads_; ++thread)
      arena_.enqueue([meeting, all = threads_] {
        std::unique_lock lock(meeting->mutex);
        ++meeting->count;
        meeting->changed.notify_all();
        meeting->changed.wait_for(lock, max_meeting, [&] { return meeting->count == all; });
      });
    std::unique_lock lock(meeting->mutex);
    meeting->changed.wait_for(lock, max_meeting, [&] { return meeting->count == threads_; });
  }

  ~Threads() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return running_ == 0; });
  }

  void start(std::size_t index, std::function<Performed()> perform) {
    {
      const std::lock_guard lock(mutex_);
      ++running_;
    }
    arena_.enqueue([this, index, perform = std::move(perform)] {
      events_.started(index);
      Performed performed;
      // While it waits inside this cell, a thread may only help with this cell: another one would need memory, too.
      tbb::this_task_arena::isolate([&] { performed = perform(); });
      events_.done(index, std::move(performed));
      const std::lock_guard lock(mutex_);
      if (--running_ == 0) idle_.notify_all();
    });
  }

 private:
  struct Meeting {
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;
  };
  // oneTBB does not promise any number of threads, so the wait is bounded.
  static constexpr std::chrono::milliseconds max_meeting{500};

  ThreadPoolEvents events_;
  int threads_;
  tbb::global_control limit_;
  tbb::task_arena arena_;
  std::mutex mutex_;
  std::condition_variable idle_;
  int running_ = 0;
};

ThreadPool::ThreadPool(int threads, ThreadPoolEvents events)
    : threads_(std::make_unique<Threads>(threads, std::move(events))) {}
ThreadPool::~ThreadPool() = default;
void ThreadPool::start_threads() { threads_->start_threads(); }
void ThreadPool::start(std::size_t index, std::function<Performed()> perform) {
  threads_->start(index, std::move(perform));
}

}  // namespace poslab::workers
