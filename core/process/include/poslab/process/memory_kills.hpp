// SPDX-License-Identifier: Apache-2.0
// How often the kernel has killed a process because memory had run out: whether a kill that nobody here ordered was
// one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace poslab::process {

class MemoryKills {
 public:
  /// Those of the machine so far (/proc/vmstat), and of the control group of this process.
  static MemoryKills now();
  /// Those that these files tell, each in a line `oom_kill 3`; one that cannot be read tells nothing.
  explicit MemoryKills(const std::vector<std::string>& files);

  /// "the kernel's count of memory kills rose by 1", or "did not rise", or that it cannot be read.
  std::string text_since(const MemoryKills& earlier) const;

 private:
  std::map<std::string, std::uint64_t> counts_;  // by file
};

}  // namespace poslab::process
