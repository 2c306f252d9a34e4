// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/family.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <system_error>

#include "children.hpp"

namespace poslab::process {
namespace {

namespace fs = std::filesystem;

// `process` and all that descends from it.
void add_family(pid_t process, std::set<pid_t>& family) {
  if (!family.insert(process).second) return;
  std::error_code gone;
  for (fs::directory_iterator task(fmt::format("/proc/{}/task", process), gone), end; !gone && task != end;
       task.increment(gone)) {
    std::ifstream children(task->path() / "children");
    for (pid_t child = 0; children >> child;) add_family(child, family);
  }
}

// The sum of these lines of a file of /proc, which are in kB.
double bytes_in(const std::string& file, const std::set<std::string>& names) {
  std::ifstream lines(file);
  double sum = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && names.contains(line.substr(0, colon)))
      sum += 1024 * std::strtod(line.c_str() + colon + 1, nullptr);
  }
  return sum;
}

// With all of what it shares.
double memory_of(pid_t process) {
  return bytes_in(fmt::format("/proc/{}/status", process), {"RssAnon", "RssShmem", "VmSwap"});
}

}  // namespace

double memory_of_family(pid_t child, Orphans below, double enough) {
  std::set<pid_t> family;
  add_family(child, family);
  if (below == Orphans::counted)
    for (const pid_t orphan : orphans()) add_family(orphan, family);
  double sum = 0;
  for (const pid_t process : family) sum += memory_of(process);
  if (sum <= enough) return sum;
  sum = 0;
  for (const pid_t process : family) {
    // Slower, since the system looks at every page; and a process may have made it unreadable.
    const double share = bytes_in(fmt::format("/proc/{}/smaps_rollup", process), {"Pss_Anon", "Pss_Shmem", "SwapPss"});
    sum += share > 0 ? share : memory_of(process);
  }
  return sum;
}

}  // namespace poslab::process
