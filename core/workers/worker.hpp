// SPDX-License-Identifier: Apache-2.0
// The host's side of one worker process, and what the system lets it take.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "assigned_cells.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/process/memory_kills.hpp"
#include "poslab/process/worker_process.hpp"
#include "poslab/workers/backend.hpp"
#include "protocol.hpp"

namespace poslab::workers {

/// Bytes that a worker may take for `memory` beside the stacks of so many threads; 0: no limit, as where a sanitizer's
/// own memory would count.
double max_memory(double memory, int threads);

/// For the calling process: no core dumps, no files, at most `memory` bytes of data (0: no limit) beside the stacks of
/// so many threads; and if the machine runs out of memory, this process is killed before others.
void limit_this_process(double memory, int threads);

class Worker {
 public:
  /// One without threads performs no cells. Throws process::NoProcess.
  Worker(const BackendOptions& options, int threads);

  /// From now on it can perform cells of this scheme, and of no other: what its plugin does to the process reaches
  /// nobody else. Of a mixed scheme it opens every plugin.
  void serve(const data::SchemeInfo& scheme);
  /// Whether it serves this scheme; false also before it serves any.
  bool serves(const data::SchemeInfo& scheme) const { return plugin_ == scheme.file; }
  /// Sends the contents that the cell names, where they were not sent before.
  void provide(const std::vector<GivenContents>& all, const data::Cell& cell);
  /// Sends a question. What it loads for the answer may be the cause of its death later.
  void ask(char kind, std::string_view body);
  void start(Task task);
  /// Its cells that keep checkpoints keep one and end.
  void interrupt() { process_.send(message::interrupt, ""); }
  /// A cell that it has finished; nothing if it does not have it.
  std::optional<Task> finish(std::size_t index);
  /// Its messages; waits as process::WorkerProcess::receive.
  std::vector<process::Message> receive(int wait_ms);
  /// To be called often: somebody may have stopped the process. Once it goes on, that time counts for no cell.
  void look_for_stop(Clock::time_point now);
  bool is_stopped() const { return stopped_since_.has_value(); }
  /// Throws process::NoProcess if it ended before all its threads had started: then no cell and no library is the
  /// cause.
  void require_was_ready(const std::string& how_it_ended) const;
  /// Waits until all its threads have started, or until it has ended. Throws process::NoProcess as below.
  void await_ready();
  bool is_ready() const { return ready_; }
  /// Throws process::NoProcess if its threads have not started for longer than any machine should take.
  void require_ready_in_time() const;

  process::WorkerProcess& process() { return process_; }
  AssignedCells& cells() { return cells_; }
  const AssignedCells& cells() const { return cells_; }
  /// Whether it has finished nothing yet: then only the cells that it has can be the cause of its death.
  bool is_fresh() const { return fresh_; }
  /// Whether the kernel's count of kills for want of memory has risen since it was started.
  std::string memory_kills() const { return process::MemoryKills::now().text_since(kills_before_); }

  bool isolated = false;  ///< it performs one suspect and gets nothing else

 private:
  process::WorkerProcess process_;
  AssignedCells cells_;
  std::string plugin_;           // the file of the one that it serves, or the files
  std::set<std::string> given_;  // hashes of the contents that it has
  const Clock::time_point born_ = Clock::now();
  const process::MemoryKills kills_before_ = process::MemoryKills::now();
  std::optional<Clock::time_point> stopped_since_;
  bool fresh_ = true, ready_ = false;
};

}  // namespace poslab::workers
