// SPDX-License-Identifier: Apache-2.0
#include "children.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

#include "poslab/process/family.hpp"

namespace poslab::process {
namespace {

namespace fs = std::filesystem;

constexpr useconds_t orphan_interval = 1000;  // microseconds between two looks

struct Family {
  std::mutex mutex;
  bool begun = false, has_elders = false;
  std::set<pid_t> ours, strangers;    // strangers: from before, or left alone
  std::map<pid_t, std::string> left;  // of the strangers those that came later, with their command lines
};

// Never destroyed: other threads and destructors may still need it when the process ends.
Family& family() {
  static Family& only = *new Family;
  return only;
}

bool is_number(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); });
}

// Where the kernel does not list children (CONFIG_PROC_CHILDREN): every process whose parent is this one.
std::set<pid_t> children_by_parent() {
  std::set<pid_t> found;
  std::error_code gone;
  for (fs::directory_iterator process("/proc", gone), end; !gone && process != end; process.increment(gone)) {
    if (!is_number(process->path().filename().string())) continue;
    std::ifstream stat(process->path() / "stat");
    std::string line, state;
    std::getline(stat, line);
    pid_t parent = 0;
    const std::size_t after_name = line.rfind(')');
    if (after_name == std::string::npos || std::sscanf(line.c_str() + after_name, ") %*c %d", &parent) != 1) continue;
    if (parent == getpid()) found.insert(std::atoi(process->path().filename().c_str()));
  }
  return found;
}

std::set<pid_t> children() {
  std::set<pid_t> found;
  std::error_code gone;
  for (fs::directory_iterator task("/proc/self/task", gone), end; !gone && task != end; task.increment(gone)) {
    std::ifstream list(task->path() / "children");
    if (!list && fs::exists(task->path(), gone)) return children_by_parent();
    for (pid_t child = 0; list >> child;) found.insert(child);
  }
  return found;
}

void begin(Family& all) {
  if (all.begun) return;
  all.begun = true;
  std::signal(SIGCHLD, SIG_DFL);  // ignored, as we may have inherited it, the system would keep no status of a child
  all.strangers = children();
  all.has_elders = !all.strangers.empty();
}

// A file of /proc whose parts end with a zero byte; nothing if it may not be read.
std::vector<std::string> parts_of(pid_t process, const char* file) {
  std::ifstream bytes(fmt::format("/proc/{}/{}", process, file));
  std::vector<std::string> parts;
  for (std::string part; std::getline(bytes, part, '\0');) parts.push_back(part);
  return parts;
}

bool is_marked(pid_t process) {
  const std::vector<std::string> environment = parts_of(process, "environ");
  return std::find(environment.begin(), environment.end(), mark_of_ours) != environment.end();
}

// One that is about to end has given its memory back, and with it its words and its environment: whose it is nobody can
// tell any more, and nobody needs to.
bool has_words(pid_t process) { return !parts_of(process, "cmdline").empty(); }

void leave(pid_t process, Family& all) {
  all.strangers.insert(process);
  all.left[process] = fmt::format("{}", fmt::join(parts_of(process, "cmdline"), " "));
}

std::vector<pid_t> orphans_in(Family& all) {
  std::vector<pid_t> orphans;
  for (const pid_t child : children()) {
    if (all.ours.contains(child) || all.strangers.contains(child)) continue;
    if (is_at_its_end(child))
      take_status(child);
    else if (all.has_elders && !is_marked(child) && has_words(child))
      leave(child, all);
    else
      orphans.push_back(child);
  }
  return orphans;
}

}  // namespace

pid_t start_of_ours(const std::function<pid_t()>& start, bool adopts) {
  Family& all = family();
  const std::lock_guard lock(all.mutex);  // also while it starts: else it would be taken for an orphan
  begin(all);
  if (adopts) prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t child = start();
  all.ours.insert(child);
  return child;
}

// Who has not begun will find it among the children from before, and leave it alone.
pid_t start_beside(const std::function<pid_t()>& start) {
  Family& all = family();
  const std::lock_guard lock(all.mutex);
  const pid_t child = start();
  if (all.begun) all.ours.insert(child);
  return child;
}

void forget(pid_t child) {
  Family& all = family();
  const std::lock_guard lock(all.mutex);
  all.ours.erase(child);
}

std::vector<pid_t> orphans() {
  Family& all = family();
  const std::lock_guard lock(all.mutex);
  return orphans_in(all);
}

std::vector<pid_t> kill_orphans(Deadline deadline) {
  Family& all = family();
  for (;; usleep(orphan_interval)) {
    const std::lock_guard lock(all.mutex);
    const std::vector<pid_t> orphans = orphans_in(all);
    if (orphans.empty()) return {};
    for (const pid_t orphan : orphans) {
      kill(orphan, SIGKILL);
      release_traced_threads(orphan);
      if (is_at_its_end(orphan)) take_status(orphan);
    }
    if (std::chrono::steady_clock::now() < deadline) continue;
    for (const pid_t orphan : orphans) leave(orphan, all);
    return orphans;
  }
}

std::vector<Survivor> survivors() {
  Family& all = family();
  const std::lock_guard lock(all.mutex);
  if (all.left.empty()) return {};
  const std::set<pid_t> living = children();
  std::vector<Survivor> found;
  for (const auto& [process, command] : all.left)
    if (living.contains(process) && !is_at_its_end(process)) found.push_back({process, command});
  return found;
}

}  // namespace poslab::process
