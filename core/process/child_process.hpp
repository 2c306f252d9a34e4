// SPDX-License-Identifier: Apache-2.0
// One child process, from its start to the moment when nothing is left of it. Whatever it does, nobody waits for it for
// ever: it may let itself be traced, join another process group, or leave processes in sessions of their own.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "poslab/process/child.hpp"

namespace poslab::process {

/// What becomes of processes that a child has started and left: those of a child that calls plugins are killed with it,
/// those of a program that the user has are none of our business.
enum class Leftovers { killed, kept };

class ChildProcess {
 public:
  /// `start` returns the id of a new child. Throws what it throws.
  explicit ChildProcess(const std::function<pid_t()>& start, Leftovers leftovers = Leftovers::killed);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< as `finish`

  pid_t id() const { return id_; }
  /// A descriptor that poll finds readable once it has ended; -1 where the system offers none.
  int end_descriptor() const { return end_descriptor_; }
  /// Whether it has ended; a stop is no end. Never waits.
  bool has_ended();
  /// The same, waiting at most so long for it.
  bool wait(std::chrono::milliseconds longest);
  /// The same, for at most `seconds`.
  bool ends_within(double seconds);
  /// Kills it, its process group and every orphan that it has left, and takes its status: in 5 s at most. What has not
  /// ended then hangs in the system, or belongs to another user, and is given up.
  void finish();
  /// Sets `how`, `code` and `left`; `timed_out`: its time was over first. Throws base::Error if the system has kept no
  /// status. Precondition: `finish`.
  void tell(Ended& ended, bool timed_out) const;

 private:
  void kill_group() const;

  const Leftovers leftovers_;
  const pid_t id_;
  int end_descriptor_ = -1;
  std::chrono::steady_clock::time_point threads_looked_at_;
  bool at_its_end_ = false, finished_ = false;
  std::optional<int> status_;
  std::vector<pid_t> left_;
};

}  // namespace poslab::process
