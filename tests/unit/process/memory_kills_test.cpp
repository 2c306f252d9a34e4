// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/memory_kills.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "catch.hpp"

using poslab::process::MemoryKills;

namespace {

class File {
 public:
  explicit File(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))) {}
  ~File() { std::filesystem::remove(path_); }
  void holds(const std::string& text) const { std::ofstream(path_) << text; }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("a kill for want of memory is counted by the machine and by the group, and is one") {
  const File machine("vmstat"), group("events");
  machine.holds("pgfault 17\noom_kill 3\ndrop_pagecache 0\n");
  group.holds("low 0\nhigh 0\nmax 4\noom 1\noom_kill 0\noom_group_kill 0\n");
  const std::vector<std::string> files{machine.path(), group.path(), "/nowhere/memory.events"};
  const MemoryKills before(files);
  CHECK(MemoryKills(files).text_since(before) == "the kernel's count of memory kills did not rise");
  group.holds("low 0\nhigh 0\nmax 4\noom 1\noom_kill 1\noom_group_kill 0\n");
  CHECK(MemoryKills(files).text_since(before) == "the kernel's count of memory kills rose by 1");
  machine.holds("pgfault 17\noom_kill 5\ndrop_pagecache 0\n");
  CHECK(MemoryKills(files).text_since(before) == "the kernel's count of memory kills rose by 2");
}

TEST_CASE("where nothing counts the kills, that is said") {
  const MemoryKills none({"/nowhere/memory.events", "/proc/self/status"});
  CHECK(none.text_since(none) == "whether the kernel did it for want of memory cannot be read here");
  CHECK(MemoryKills::now().text_since(none) == none.text_since(none));  // it was not there before
}
