// SPDX-License-Identifier: Apache-2.0
// Threads that perform cells in this process.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "poslab/workers/cell_runner.hpp"

namespace poslab::workers {

/// Called from any thread when a cell is started and when it is done.
struct ThreadPoolEvents {
  std::function<void(std::size_t index)> started;
  std::function<void(std::size_t index, Performed performed)> done;
};

class ThreadPool {
 public:
  ThreadPool(int threads, ThreadPoolEvents events);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();  ///< waits for the cells that were started

  /// `perform` is called once, by one of the threads.
  void start(std::size_t index, std::function<Performed()> perform);
  /// Creates all threads now, so that a system that refuses one ends the process before it has a cell.
  void start_threads();

 private:
  class Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace poslab::workers
