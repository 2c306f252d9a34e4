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

constexpr std::size_t most_kept = 64 << 10;  // of what a child says
constexpr int longest_wait_ms = 50;          // between two looks at whether the child still runs

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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

// waitpid, but a status that cannot be had is no success.
bool has_ended(pid_t child, int* status, int options) {
  for (;;) {
    const pid_t ended = waitpid(child, status, options);
    if (ended >= 0) return ended == child;
    if (errno != EINTR)
      throw base::Error(fmt::format("how a child process ended cannot be known: {}", std::strerror(errno)));
  }
}

}  // namespace

void note_end(Ended& ended, int status) {
  ended.how = WIFSIGNALED(status) ? End::killed : End::exited;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

Ended run_self(const std::vector<std::string>& arguments, double time_limit) {
  std::array<Pipe, 3> pipes;
  Ended ended;
  const Clock::time_point start = Clock::now();
  const pid_t child = spawn_self(arguments, pipes[0].write_end(), pipes[1].write_end(), pipes[2].write_end());
  for (Pipe& pipe : pipes) pipe.close_write_end();
  int status = 0;
  bool running = true;
  while (running) {
    const bool heard = listen(pipes, longest_wait_ms);
    if (seconds_since(start) > time_limit) {
      kill(-child, SIGKILL);
      has_ended(child, &status, 0);
      ended.how = End::timed_out;
      ended.code = SIGKILL;
      break;
    }
    // Pipes that are all closed mean the end is near; open ones may be held by a grandchild.
    running = !has_ended(child, &status, WNOHANG);
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

Ended run_in_place(const std::vector<std::string>& arguments) {
  Ended ended;
  const pid_t child = spawn_in_place(arguments);
  int status = 0;
  has_ended(child, &status, 0);
  note_end(ended, status);
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
