// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP as a flag.
#pragma once

#include <atomic>

namespace poslab::process {

/// While one exists, the first Ctrl-C, SIGTERM or SIGHUP sets `stop()` and the second ends the process. Signals that
/// were ignored before, as under nohup, stay ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  const std::atomic<bool>& stop() const;
};

}  // namespace poslab::process
