// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>

#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstring>

#include "child_process.hpp"
#include "poslab/base/regular_file.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

constexpr std::chrono::milliseconds max_wait{50};  // between two looks at clock and child
constexpr int max_drains = 8;                      // what is in a pipe when its writers are dead, many times over

using Pipes = std::array<Pipe, 3>;

// Waits for bytes or for the child's end, but not long.
void wait_for_news(const Pipes& pipes, ChildProcess& child) {
  std::array<pollfd, 4> watched{};
  for (std::size_t i = 0; i < pipes.size(); ++i)
    watched[i] = {pipes[i].read_end(), POLLIN, 0};  // poll ignores a closed one, which is -1
  watched[3] = {child.end_descriptor(), POLLIN, 0};
  poll(watched.data(), watched.size(), static_cast<int>(max_wait.count()));
}

std::size_t drain(Pipes& pipes) {
  std::size_t arrived = 0;
  for (Pipe& pipe : pipes) arrived += pipe.drain();
  return arrived;
}

// False: its time was over first. The pipes say nothing about the child's end: a grandchild may hold them open, and the
// child may close them early.
bool ends_in_time(ChildProcess& child, Pipes& pipes, double time_limit) {
  for (TimeLimit limit(time_limit); !child.has_ended();) {
    if (limit.is_over()) return false;
    wait_for_news(pipes, child);
    drain(pipes);
  }
  return true;
}

}  // namespace

std::string left_text(const Ended& ended) {
  if (ended.left.empty()) return "";
  const bool one = ended.left.size() == 1;
  return fmt::format("; {} {} {} not ended though {} killed, and {} left behind", one ? "process" : "processes",
                     fmt::join(ended.left, ", "), one ? "has" : "have", one ? "it was" : "they were",
                     one ? "is" : "are");
}

NoProcess::NoProcess(const std::string& why_)
    : Error(Kind::resources,
            fmt::format("no child process can be started: {}; are there too many processes or descriptors (ulimit -u, "
                        "ulimit -n) or too little memory? Fewer --threads and --workers need less",
                        why_)),
      why(why_) {}

Ended run_self(const std::vector<std::string>& arguments, double time_limit, std::size_t max_answer) {
  Pipes pipes;
  pipes[0].max_kept = max_answer;
  Ended ended;
  const auto start = std::chrono::steady_clock::now();
  ChildProcess child = spawn_self(arguments, pipes[0].write_end(), pipes[1].write_end(), pipes[2].write_end());
  for (Pipe& pipe : pipes) pipe.close_write_end();
  const bool in_time = ends_in_time(child, pipes, time_limit);
  child.finish();
  child.tell(ended, !in_time);
  for (int round = 0; round < max_drains && drain(pipes) > 0; ++round) continue;
  ended.answer = pipes[0].text;
  ended.output = pipes[1].text;
  ended.error_output = pipes[2].text;
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return ended;
}

Ended run_in_place(const std::vector<std::string>& arguments, double time_limit) {
  Ended ended;
  ChildProcess child = spawn_in_place(arguments);
  const bool in_time = child.ends_within(time_limit);
  child.finish();
  child.tell(ended, !in_time);
  return ended;
}

std::string signal_text(int signal) {
  const char *name = sigabbrev_np(signal), *description = sigdescr_np(signal);
  if (!name || !description) return fmt::format("signal {}", signal);
  std::string lower = description;
  lower[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(lower[0])));
  return fmt::format("SIG{} ({})", name, lower);
}

bool answer(const std::string& text) { return base::write_all(answer_descriptor, text) == 0; }

void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace poslab::process
