// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

#include "child_process.hpp"
#include "poslab/base/regular_file.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

constexpr std::chrono::milliseconds max_wait{50};  // between two looks at clock and child
constexpr int max_drains = 8;                      // what is in a pipe when its writers are dead, many times over

// On each of the child's pipes, so that what was written to any of them is known to belong before it.
constexpr const char* piece_mark = "\x1e\n";
constexpr std::size_t max_piece = 16 << 20;  // of answers of several pieces, which may have come at once

using Pipes = std::array<Pipe, 3>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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

// Takes off its front what was written before the mark; all of it, where there is none.
std::string take_piece(std::string& text) {
  const std::size_t end = text.find(piece_mark);
  std::string piece = text.substr(0, end);
  text.erase(0, end == std::string::npos ? end : end + std::strlen(piece_mark));
  return piece;
}

// A child that is this program, and what it writes.
class Watched {
 public:
  Watched(const std::vector<std::string>& arguments, std::size_t max_answer,
          std::function<void(const Ended&)> on_piece = {})
      : child_(spawn_self(arguments, pipes_[0].write_end(), pipes_[1].write_end(), pipes_[2].write_end())),
        on_piece_(std::move(on_piece)) {
    pipes_[0].max_kept = max_answer;
    for (Pipe& pipe : pipes_) pipe.close_write_end();
  }

  Ended wait(double time_limit) {
    const bool in_time = ends_in_time(time_limit);
    Ended ended;
    child_.finish();
    child_.tell(ended, !in_time);
    for (int round = 0; round < max_drains && drain(pipes_) > 0; ++round) continue;
    tell_pieces();
    ended.answer = pipes_[0].text;
    ended.output = pipes_[1].text;
    ended.error_output = pipes_[2].text;
    ended.seconds = seconds_since(start_);
    return ended;
  }

 private:
  // False: the time of a piece was over first. The pipes say nothing about the child's end: a grandchild may hold them
  // open, and the child may close them early.
  bool ends_in_time(double time_limit) {
    for (std::optional<TimeLimit> limit(time_limit); !child_.has_ended();) {
      if (limit->is_over()) return false;
      wait_for_news(pipes_, child_);
      drain(pipes_);
      if (tell_pieces()) limit.emplace(time_limit);
    }
    return true;
  }

  // Whether one has ended.
  bool tell_pieces() {
    bool any = false;
    while (on_piece_ && pipes_[0].text.find(piece_mark) != std::string::npos) {
      drain(pipes_);
      Ended piece;
      piece.answer = take_piece(pipes_[0].text);
      piece.output = take_piece(pipes_[1].text);
      piece.error_output = take_piece(pipes_[2].text);
      piece.seconds = seconds_since(std::exchange(start_, Clock::now()));
      on_piece_(piece);
      any = true;
    }
    return any;
  }

  Pipes pipes_;
  Clock::time_point start_ = Clock::now();
  ChildProcess child_;
  std::function<void(const Ended&)> on_piece_;
};

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
  return Watched(arguments, max_answer).wait(time_limit);
}

Ended run_self_in_pieces(const std::vector<std::string>& arguments, double time_limit,
                         const std::function<void(const Ended&)>& on_piece) {
  return Watched(arguments, max_piece, on_piece).wait(time_limit);
}

void end_piece() {
  std::fflush(stdout);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO, answer_descriptor})
    base::write_all(descriptor, piece_mark);
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
