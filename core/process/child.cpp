// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstring>

#include "pipe.hpp"
#include "poslab/base/error.hpp"

namespace poslab::process {
namespace {

constexpr std::size_t most_kept = 64 << 10;  // of what a child says
constexpr int longest_wait_ms = 50;          // between two looks at whether the child still runs

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

pid_t spawn(const std::vector<std::string>& arguments, const std::array<Pipe, 3>& pipes) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  constexpr std::array<int, 3> places{answer_descriptor, STDOUT_FILENO, STDERR_FILENO};
  for (std::size_t i = 0; i < pipes.size(); ++i)
    posix_spawn_file_actions_adddup2(&actions, pipes[i].write_end(), places[i]);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // a group of its own, so that all of it can be killed
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> words{"poslab"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int problem = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (problem != 0) throw base::Error(fmt::format("no child process can be started: {}", std::strerror(problem)));
  return child;
}

// Reads what has come, after waiting at most `wait_ms` for it; false once every pipe is at its end.
bool listen(std::array<Pipe, 3>& pipes, int wait_ms) {
  std::array<pollfd, 3> watched{};
  bool open = false;
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    watched[i] = {pipes[i].read_end(), POLLIN, 0};  // poll passes over a closed one, which is -1
    open |= pipes[i].read_end() >= 0;
  }
  if (!open) return false;
  poll(watched.data(), watched.size(), wait_ms);
  for (std::size_t i = 0; i < pipes.size(); ++i)
    if (watched[i].revents != 0) pipes[i].take(most_kept);
  return true;
}

void note_end(Ended& ended, int status) {
  ended.how = WIFSIGNALED(status) ? End::killed : End::exited;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Ended run_self(const std::vector<std::string>& arguments, double time_limit) {
  std::array<Pipe, 3> pipes;
  Ended ended;
  const Clock::time_point start = Clock::now();
  const pid_t child = spawn(arguments, pipes);
  for (Pipe& pipe : pipes) pipe.close_write_end();
  int status = 0;
  bool running = true;
  while (running) {
    const bool heard = listen(pipes, longest_wait_ms);
    if (seconds_since(start) > time_limit) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      ended.how = End::timed_out;
      ended.code = SIGKILL;
      break;
    }
    // Pipes that are all closed mean the end is near; open ones may be held by a grandchild.
    running = waitpid(child, &status, WNOHANG) == 0;
    if (!running) note_end(ended, status);
    if (running && !heard) usleep(1000);
  }
  kill(-child, SIGKILL);  // whatever it has left behind
  while (listen(pipes, 0) && pipes[0].fresh + pipes[1].fresh + pipes[2].fresh > 0)
    for (Pipe& pipe : pipes) pipe.fresh = 0;
  ended.answer = pipes[0].text;
  ended.output = pipes[1].text;
  ended.complaint = pipes[2].text;
  ended.seconds = seconds_since(start);
  return ended;
}

std::string signal_text(int signal) {
  const char *name = sigabbrev_np(signal), *words = sigdescr_np(signal);
  if (!name || !words) return fmt::format("signal {}", signal);
  std::string lower = words;
  lower[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(lower[0])));
  return fmt::format("SIG{} ({})", name, lower);
}

void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace poslab::process
