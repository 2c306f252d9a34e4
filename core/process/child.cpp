// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "pipe.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

constexpr int longest_wait_ms = 50;  // between two looks at whether the child still runs

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Waits at most `wait_ms` for bytes to arrive; false at once if every pipe is at its end.
bool wait_for_any(const std::array<Pipe, 3>& pipes, int wait_ms) {
  std::array<pollfd, 3> watched{};
  bool any_open = false;
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    watched[i] = {pipes[i].read_end(), POLLIN, 0};  // poll ignores a closed one, which is -1
    any_open |= pipes[i].read_end() >= 0;
  }
  if (any_open) poll(watched.data(), watched.size(), wait_ms);
  return any_open;
}

std::size_t drain(std::array<Pipe, 3>& pipes) {
  std::size_t arrived = 0;
  for (Pipe& pipe : pipes) arrived += pipe.drain();
  return arrived;
}

// As waitpid, but a status that cannot be had is an error and not a success.
bool has_ended(pid_t child, int* status, int options) {
  for (;;) {
    const pid_t ended = waitpid(child, status, options);
    if (ended >= 0) return ended == child;
    if (errno != EINTR)
      throw base::Error(fmt::format("the exit status of a child process is not available: {}", std::strerror(errno)));
  }
}

// Waits for the child, or kills it after `time_limit` seconds.
void wait_for_end(pid_t child, std::array<Pipe, 3>& pipes, Clock::time_point start, double time_limit, Ended& ended) {
  int status = 0;
  for (;;) {
    const bool any_open = wait_for_any(pipes, longest_wait_ms);
    drain(pipes);
    if (seconds_since(start) > time_limit) {
      kill(-child, SIGKILL);
      has_ended(child, &status, 0);
      ended.how = End::timed_out;
      ended.code = SIGKILL;
      return;
    }
    // The pipes say nothing about the child's end: a grandchild may hold them open, and the child may close them early.
    if (has_ended(child, &status, WNOHANG)) return set_end(ended, status);
    if (!any_open) usleep(1000);
  }
}

}  // namespace

void set_end(Ended& ended, int status) {
  ended.how = WIFSIGNALED(status) ? End::killed : End::exited;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

NoProcess::NoProcess(const std::string& why_)
    : Error(fmt::format("no child process can be started: {}; are there too many processes or descriptors (ulimit -u, "
                        "ulimit -n) or too little memory? Fewer --threads and --workers need less",
                        why_)),
      why(why_) {}

Ended run_self(const std::vector<std::string>& arguments, double time_limit) {
  std::array<Pipe, 3> pipes;
  Ended ended;
  const Clock::time_point start = Clock::now();
  const pid_t child = spawn_self(arguments, pipes[0].write_end(), pipes[1].write_end(), pipes[2].write_end());
  for (Pipe& pipe : pipes) pipe.close_write_end();
  wait_for_end(child, pipes, start, time_limit, ended);
  kill(-child, SIGKILL);  // processes that it has left behind
  while (drain(pipes) > 0) continue;
  ended.answer = pipes[0].text;
  ended.output = pipes[1].text;
  ended.complaint = pipes[2].text;
  ended.seconds = seconds_since(start);
  return ended;
}

Ended run_in_place(const std::vector<std::string>& arguments) {
  Ended ended;
  const pid_t child = spawn_in_place(arguments);
  int status = 0;
  has_ended(child, &status, 0);
  set_end(ended, status);
  return ended;
}

std::string signal_text(int signal) {
  const char *name = sigabbrev_np(signal), *description = sigdescr_np(signal);
  if (!name || !description) return fmt::format("signal {}", signal);
  std::string lower = description;
  lower[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(lower[0])));
  return fmt::format("SIG{} ({})", name, lower);
}

bool answer(const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = write(answer_descriptor, text.data() + written, text.size() - written);
    if (count <= 0) return false;
    written += static_cast<std::size_t>(count);
  }
  return true;
}

void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace poslab::process
