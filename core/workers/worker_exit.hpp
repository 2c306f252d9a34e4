// SPDX-License-Identifier: Apache-2.0
// How a worker process ended, whether somebody outside ended it, and which plugins ended too many.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/process/child.hpp"
#include "poslab/process/worker_process.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::workers {

/// A cell or a question survives so many kills of its worker from outside; then it may be the cause itself, as one that
/// exhausts the machine's memory. Nobody knows, and so it does not count against its plugin.
constexpr int max_kills = 3;
/// And so many of the process of its Python file.
constexpr int max_losses = 1;
/// And so many stops of it (SIGSTOP) that last until its time is over: a plugin may stop its own process, too.
constexpr int max_stops = 1;

struct WorkerExit {
  process::Ended ended;
  bool broke_protocol = false;  ///< it sent what is not a message
  bool killed_by_us = false;
};

/// Kills the worker if it still lives.
WorkerExit reap(process::WorkerProcess& process, bool timed_out = false);

/// "died of SIGSEGV (segmentation fault); its last words: ..."
std::string describe(const WorkerExit& worker_exit);

/// By a person, by a batch system, or by the system for want of memory.
bool was_killed_externally(const WorkerExit& worker_exit);

/// Which plugins have ended so many workers that their other cells are not performed.
class PluginQuarantine {
 public:
  /// After so many cells that ended a worker, a plugin is quarantined.
  static constexpr int max_crashes = 3;

  /// A cell of this scheme has ended a worker.
  void count_crash(const data::SchemeInfo& scheme);
  /// Why cells of this scheme are not performed any more; empty if they are. Those of a mixed scheme are not if one of
  /// its plugins is quarantined; its own crashes count against none of them, since nobody knows which it was.
  std::string reason(const data::SchemeInfo& scheme) const;
  const std::vector<QuarantinedPlugin>& quarantined() const { return quarantined_; }

 private:
  std::map<std::string, int> crashes_;  // by hash of the plugin's file
  std::vector<QuarantinedPlugin> quarantined_;
};

}  // namespace poslab::workers
