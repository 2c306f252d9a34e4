// SPDX-License-Identifier: Apache-2.0
// The workers of a run, started when they are first needed, and which of them gets which cell. A worker performs cells
// of one plugin only (of a mixed scheme: of one set of plugins), so that what a plugin does to its process (limits,
// signals, the floating-point mode, the heap) reaches no cell of another.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "assigned_cells.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/workers/backend.hpp"
#include "worker.hpp"

namespace poslab::workers {

class WorkerPool {
 public:
  explicit WorkerPool(const BackendOptions& options);

  /// How many cells may be performed at once.
  int slots() const { return threads_each_ * workers_each_; }
  void register_schemes(const std::vector<data::SchemeInfo>& schemes) { schemes_ = schemes; }
  /// Workers that are started from now on may take memory for these contents, too.
  void provide(const std::vector<GivenContents>& contents);
  const std::vector<GivenContents>& given() const { return given_; }
  /// Precondition: it was registered, or all that its layers have.
  const data::SchemeInfo& scheme_of(const data::Cell& cell);

  /// Hands out cells while there are free slots: suspects first, each alone in a new worker; then the others, each to
  /// the worker of its plugin that has the fewest. Throws process::NoProcess.
  void assign(CellQueue& queue);
  /// From now on a suspect is performed while nothing else is.
  void perform_suspects_one_by_one() { one_by_one_ = true; }
  /// Workers that have cells.
  int busy() const;
  /// Waits until a worker has sent something, at most `wait_ms`; returns how long it waited.
  Clock::duration wait(int wait_ms) const;

  /// One more, without threads, that is asked about libraries and cells and is not one of `workers`. Throws
  /// process::NoProcess.
  std::unique_ptr<Worker> new_probe() const { return std::make_unique<Worker>(options_, 0); }
  /// Bytes that a worker and all that it has started may take; 0: no limit.
  double max_memory() const { return workers::max_memory(options_.memory, threads_each_); }
  /// Null: it has ended, and what it had was taken from it.
  std::vector<std::unique_ptr<Worker>>& workers() { return workers_; }

 private:
  bool has_place_for_suspect() const;
  bool has_place_for_cell(const CellQueue& queue) const;
  int cells_beside_suspects() const;
  int isolated() const;  // suspects that are performed now
  void discard_idle(const data::SchemeInfo& next);
  Worker& add_worker(const data::SchemeInfo& scheme);
  Worker& worker_for(const data::SchemeInfo& scheme);
  void start(Worker& worker, Task task);

  BackendOptions options_;
  const int workers_each_, threads_each_;  // workers of one plugin at once, and threads of each of them
  std::vector<data::SchemeInfo> schemes_;
  std::map<std::string, data::SchemeInfo> mixed_;  // by id, made when a cell first asks
  std::vector<GivenContents> given_;
  std::vector<std::unique_ptr<Worker>> workers_;
  bool one_by_one_ = false;
};

}  // namespace poslab::workers
