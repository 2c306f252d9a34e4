// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/memory_kills.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

namespace poslab::process {
namespace {

std::optional<std::uint64_t> count_in(const std::string& file) {
  std::ifstream lines(file);
  std::string name;
  for (std::uint64_t count = 0; lines >> name >> count;)
    if (name == "oom_kill") return count;
  return std::nullopt;
}

// The files of this process's group, in version 2 ("0::/group") and 1 ("4:memory:/group"); where a container shows its
// own group as the root, there.
std::vector<std::string> files_of_group() {
  const std::string root = "/sys/fs/cgroup";
  std::vector<std::string> files{root + "/memory.events", root + "/memory/memory.oom_control"};
  std::ifstream lines("/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty()) files.push_back(root + group + "/memory.events");
    if (controllers == "memory") files.push_back(root + "/memory" + group + "/memory.oom_control");
  }
  return files;
}

}  // namespace

MemoryKills MemoryKills::now() {
  std::vector<std::string> files = files_of_group();
  files.emplace_back("/proc/vmstat");
  return MemoryKills(files);
}

MemoryKills::MemoryKills(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (const auto count = count_in(file)) counts_[file] = *count;
}

std::string MemoryKills::text_since(const MemoryKills& earlier) const {
  std::optional<std::uint64_t> rise;  // one kill is counted by its group and by the machine
  for (const auto& [file, count] : counts_)
    if (const auto before = earlier.counts_.find(file); before != earlier.counts_.end())
      rise = std::max(rise.value_or(0), count - std::min(count, before->second));
  if (!rise) return "whether the kernel did it for want of memory cannot be read here";
  return *rise == 0 ? "the kernel's count of memory kills did not rise"
                    : fmt::format("the kernel's count of memory kills rose by {}", *rise);
}

}  // namespace poslab::process
