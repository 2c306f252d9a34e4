// SPDX-License-Identifier: Apache-2.0
// posix_spawn, never fork: a forked child of a program that uses oneTBB has no worker threads.
#include "spawn.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "children.hpp"
#include "poslab/process/child.hpp"

namespace poslab::process {
namespace {

// A child gets its ends as descriptors 1, 2 and 3; ours are higher, so that dup2 overwrites none of them.
constexpr int lowest_descriptor = 10;

pid_t spawn(const std::vector<std::string>& arguments, const SpawnSettings& settings) {
  std::vector<std::string> words{"poslab"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::string mark = mark_of_ours;
  std::vector<char*> environment{mark.data()};
  for (char** entry = environ; entry && *entry; ++entry)
    if (mark != *entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  pid_t child = 0;
  const int problem = posix_spawn(&child, "/proc/self/exe", &settings.actions, &settings.attributes,
                                  pointers_to(words).data(), environment.data());
  if (problem != 0) throw NoProcess(std::strerror(problem));
  return child;
}

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string ours = *entry, name = ours.substr(0, ours.find('=') + 1);
    if (std::none_of(variables.begin(), variables.end(), [&](const auto& its) { return its.starts_with(name); }))
      all.push_back(ours);
  }
  return all;
}

int moved_up(int descriptor) {
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest_descriptor);
  const int problem = errno;
  close(descriptor);
  if (moved < 0) throw NoProcess(std::strerror(problem));
  return moved;
}

ChildProcess spawn_in_place(const std::vector<std::string>& arguments) {
  return ChildProcess([&] { return spawn(arguments, SpawnSettings()); });
}

ChildProcess spawn_self(const std::vector<std::string>& arguments, int connection, int output, int error_output) {
  SpawnSettings settings;
  posix_spawn_file_actions_addopen(&settings.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const auto& [ours, its] : {std::pair{connection, answer_descriptor}, std::pair{output, STDOUT_FILENO},
                                  std::pair{error_output, STDERR_FILENO}})
    posix_spawn_file_actions_adddup2(&settings.actions, ours, its);
  posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&settings.attributes, 0);
  return ChildProcess([&] { return spawn(arguments, settings); });
}

}  // namespace poslab::process
