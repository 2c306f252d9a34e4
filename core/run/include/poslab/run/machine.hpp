// SPDX-License-Identifier: Apache-2.0
// Facts of the machine that a run is on, and the interrupt key.
#pragma once

#include <atomic>
#include <string>

namespace poslab::run {

int processors();              ///< that this process may use
double available_memory();     ///< bytes that could be taken without swapping (MemAvailable), or half of what there is
std::string processor_name();  ///< from /proc/cpuinfo
std::string host_name();
/// Empty, or why this machine cannot run what was built (instructions that it lacks).
std::string why_not_this_machine();

/// While one lives, the first Ctrl-C, SIGTERM or SIGHUP sets `stop()` and the second ends the process. Signals that were
/// ignored before, as nohup does, stay so.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  const std::atomic<bool>& stop() const;
};

}  // namespace poslab::run
