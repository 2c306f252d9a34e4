// SPDX-License-Identifier: Apache-2.0
// This program as a child that exchanges messages with us for as long as it lives. It may die at any moment, hang, or
// send garbage: this is reported, and does us no harm.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/process/child.hpp"
#include "poslab/process/frames.hpp"

namespace poslab::process {

/// The worker's file descriptor of the connection, which goes in both directions.
inline constexpr int connection_descriptor = answer_descriptor;

class ChildProcess;

class WorkerProcess {
 public:
  /// Starts this program with `arguments`. Throws NoProcess.
  explicit WorkerProcess(const std::vector<std::string>& arguments);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();  ///< closes the connection, at which a worker exits, and kills one that does not, with its children

  /// Queues a message, which is sent while `receive` waits: a worker that does not read never blocks us.
  void send(char kind, std::string_view body);
  /// The messages that have arrived, in order; waits at most `wait_ms` for one.
  std::vector<Message> receive(int wait_ms);
  /// Whether no further message can arrive; `reap` tells why.
  bool is_gone() const { return gone_; }
  /// Whether a signal has stopped it (SIGSTOP) and none has let it go on.
  bool is_stopped() const;
  /// Whether `reap` had to kill it: it had closed its connection and lived on, or ran out of time.
  bool was_killed_by_us() const { return killed_; }
  /// Whether it sent bytes that are not a message, or a message that makes no sense.
  bool broke_protocol() const { return broke_protocol_; }
  /// To be called for a message that makes no sense: nothing more is read from it.
  void reject() { gone_ = broke_protocol_ = true; }
  /// Kills it and all that it started, if they still live, which takes 5 s at most; returns how it ended, with the ends
  /// of its stdout and stderr.
  const Ended& reap(bool timed_out = false);
  pid_t id() const;

  /// Waits at most `wait_ms` until a message arrives from one of them, or one can take what is queued for it.
  static void wait_for_any(const std::vector<WorkerProcess*>& processes, int wait_ms);

 private:
  struct Streams;  // the connection, stdout and stderr
  void write_queued();
  void read_arrived();
  void drain_output();
  void wait_for_exit(std::chrono::milliseconds longest);
  std::unique_ptr<Streams> streams_;
  std::unique_ptr<ChildProcess> child_;
  FrameReader frames_;
  std::string outgoing_;
  std::size_t sent_ = 0;  // bytes of `outgoing_`
  bool gone_ = false, broke_protocol_ = false, killed_ = false, reaped_ = false;
  Ended ended_;
};

}  // namespace poslab::process
