// SPDX-License-Identifier: Apache-2.0
// Starting a child, hearing what it says, and how long it may take.
#pragma once

#include <spawn.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "child_process.hpp"

namespace poslab::process {

/// A pipe from a child, and the end of what came through it.
class Pipe {
 public:
  Pipe();  ///< throws NoProcess
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return read_; }  ///< -1 once nothing more can come
  int write_end() const { return write_; }
  void close_write_end();
  /// Appends what has arrived to `text`, without waiting, and keeps its last `max_kept` bytes. Returns how many bytes
  /// arrived.
  std::size_t drain();

  std::string text;
  std::size_t max_kept = 64 << 10;

 private:
  int read_ = -1, write_ = -1;
};

/// To be asked often: a pause of more than 10 s between two questions, in which this process itself did not run, as
/// after Ctrl-Z, is not the child's and does not count.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : limit_(seconds) {}
  bool is_over() {
    const auto now = Clock::now();
    const std::chrono::duration<double> passed = now - asked_at_;
    asked_at_ = now;
    if (passed < max_pause) used_ += passed;
    return used_ > limit_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds max_pause{10};
  const std::chrono::duration<double> limit_;
  std::chrono::duration<double> used_{0};
  Clock::time_point asked_at_ = Clock::now();
};

/// Starts this program with `arguments`, stdin empty, the three descriptors as 3, 1 and 2, in a process group of its
/// own, so that it can be killed together with its children. The descriptors must be 10 or higher. Throws NoProcess.
ChildProcess spawn_self(const std::vector<std::string>& arguments, int connection, int output, int error_output);

/// Starts this program with our own stdin, stdout and stderr, in our process group. Throws NoProcess.
ChildProcess spawn_in_place(const std::vector<std::string>& arguments);

/// What posix_spawn does in a child before its program starts.
struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
};

/// Words, or an environment, as posix_spawn takes them: null comes last.
std::vector<char*> pointers_to(std::vector<std::string>& texts);

/// Our environment, with these ("NAME=value") in place of those of the same names.
std::vector<std::string> environment_with(const std::vector<std::string>& variables);

/// Where the program `name` is: as it says if that is a path, else in the first folder of PATH that has it. An empty
/// entry of PATH, which others take for the working directory, is none. Throws NoProgram.
std::string path_of_program(const std::string& name);

/// Duplicates the descriptor at 10 or higher, close-on-exec, and closes the original. Throws NoProcess.
int moved_up(int descriptor);

}  // namespace poslab::process
