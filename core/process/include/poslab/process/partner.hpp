// SPDX-License-Identifier: Apache-2.0
// This program once more, as a child that is spoken with for as long as it lives. It may die at any moment, say nothing,
// or say what makes no sense: that is told, and nothing else happens to us.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/process/child.hpp"
#include "poslab/process/frames.hpp"

namespace poslab::process {

/// The file descriptor on which a partner speaks with us, in both directions.
inline constexpr int connection_descriptor = answer_descriptor;

class Partner {
 public:
  /// Starts this program with `arguments`. Throws NoProcess.
  explicit Partner(const std::vector<std::string>& arguments);
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;
  ~Partner();  ///< closes the connection, at which a partner ends; one that does not is killed, with all that it started

  /// Queued, and sent while `listen` waits: a partner that does not read never blocks us.
  void send(char kind, std::string_view body);
  /// What has come so far, in order; waits for something to come at most `wait_ms`.
  std::vector<Message> listen(int wait_ms);
  /// Whether nothing can come any more. `end` tells how it went.
  bool is_gone() const { return gone_; }
  /// Whether `end` had to kill it: it had closed its connection and lived on, or was given no more time.
  bool was_killed_by_us() const { return killed_; }
  /// Whether it wrote into the connection what is no message.
  bool spoke_nonsense() const { return nonsense_; }
  /// It has said what it cannot have meant: nothing more is believed, and it is as good as gone.
  void distrust() { gone_ = nonsense_ = true; }
  /// Kills what may be left of it and collects how it ended, with the ends of its stdout and stderr.
  const Ended& end(bool timed_out = false);
  pid_t id() const { return child_; }

  /// Several partners: waits until something came from one of them, or something can be sent to one that has not got
  /// all, at most `wait_ms`.
  static void wait_for_any(const std::vector<Partner*>& partners, int wait_ms);

 private:
  struct Streams;  // the connection, stdout and stderr
  void write_waiting();
  void read_waiting();
  std::unique_ptr<Streams> streams_;
  pid_t child_ = 0;
  Frames frames_;
  std::string outgoing_;
  bool gone_ = false, nonsense_ = false, killed_ = false, reaped_ = false, collected_ = false;
  int status_ = 0;  // as waitpid gave it
  Ended ended_;
};

}  // namespace poslab::process
