// SPDX-License-Identifier: Apache-2.0
#include "children.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace poslab::process {

bool is_at_its_end(pid_t child) {
  siginfo_t seen{};
  if (waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return true;
  const bool has_news = seen.si_pid == child;
  return has_news && (seen.si_code == CLD_EXITED || seen.si_code == CLD_KILLED || seen.si_code == CLD_DUMPED);
}

bool is_stopped(pid_t child) {
  siginfo_t seen{};
  if (waitid(P_PID, static_cast<id_t>(child), &seen, WSTOPPED | WNOHANG | WNOWAIT | __WALL) != 0) return false;
  return seen.si_pid == child && seen.si_code == CLD_STOPPED;
}

std::optional<int> take_status(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, WNOHANG | __WALL) != child) return std::nullopt;
  return status;
}

void release_traced_threads(pid_t child) {
  std::error_code gone;
  for (std::filesystem::directory_iterator task(fmt::format("/proc/{}/task", child), gone), end; !gone && task != end;
       task.increment(gone)) {
    const pid_t thread = std::atoi(task->path().filename().c_str());
    int status = 0;
    if (thread > 0 && thread != child) waitpid(thread, &status, WNOHANG | __WALL);
  }
}

}  // namespace poslab::process
