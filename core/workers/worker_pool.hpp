// SPDX-License-Identifier: Apache-2.0
// The workers of a run, started when they are first needed, and which of them gets which cell.
#pragma once

#include <memory>
#include <vector>

#include "cell_queue.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/workers/backend.hpp"
#include "worker.hpp"

namespace poslab::workers {

class WorkerPool {
 public:
  explicit WorkerPool(const BackendOptions& options);

  int slots() const { return threads_each_ * static_cast<int>(workers_.size()); }
  void know(const std::vector<data::SchemeInfo>& schemes);
  /// Precondition: `know` was told of it.
  const data::SchemeInfo& scheme_of(const data::Cell& cell) const;

  /// Hands out cells while there are free slots: suspects first, each alone in a new worker; then the others, each to
  /// the worker that has the fewest. Throws process::NoProcess.
  void assign(CellQueue& queue);
  /// Waits until a worker has sent something, at most `wait_ms`; returns how long it waited.
  Clock::duration wait(int wait_ms) const;

  Worker& first() { return running(workers_.front()); }  ///< throws process::NoProcess
  void discard_first() { workers_.front().reset(); }
  std::vector<std::unique_ptr<Worker>>& workers() {
    return workers_;
  }  ///< null: not started, or dead and not yet needed

 private:
  Worker& running(std::unique_ptr<Worker>& worker);
  void assign_suspects(CellQueue& queue);
  std::unique_ptr<Worker>* least_busy();  // null: no slot is free

  const BackendOptions options_;
  const int threads_each_;
  std::vector<data::SchemeInfo> schemes_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace poslab::workers
