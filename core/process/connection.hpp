// SPDX-License-Identifier: Apache-2.0
// Requests to another process and its answers, through two pipes.
#pragma once

#include <sys/uio.h>

#include <array>
#include <cstddef>

#include "spawn.hpp"

namespace poslab::process {

/// We keep the end from which it reads requests, so that no write of ours brings SIGPIPE. Neither end of ours waits by
/// itself: to write would take for ever where it has ended, and to be woken on another core takes longer than most
/// calls.
class Connection {
 public:
  Connection();  ///< throws NoProcess

  /// As writev; 0: it has ended.
  ssize_t give(const iovec* parts, int count);
  /// As read: what has arrived, small answers at once.
  ssize_t take(char* bytes, std::size_t count);

  Pipe requests, answers;

 private:
  ssize_t wait(char* bytes, std::size_t count);
  ssize_t wait_awake(char* bytes, std::size_t count);

  std::array<char, 1 << 16> arrived_{};
  std::size_t begin_ = 0, end_ = 0;
  int in_vain_ = 0, asleep_ = 0;
};

}  // namespace poslab::process
