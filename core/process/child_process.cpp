// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "children.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds max_finish{5};               // from SIGKILL to the end, for all that is killed
constexpr std::chrono::milliseconds between_looks{50};      // at the clock, and at threads
constexpr std::chrono::milliseconds without_descriptor{2};  // between two looks where poll tells us nothing

}  // namespace

ChildProcess::ChildProcess(const std::function<pid_t()>& start, Leftovers leftovers)
    : leftovers_(leftovers),
      id_(start_of_ours(start, leftovers == Leftovers::killed)),
      end_descriptor_(static_cast<int>(syscall(SYS_pidfd_open, id_, 0))),
      threads_looked_at_(Steady::now()) {}

ChildProcess::~ChildProcess() {
  finish();
  if (end_descriptor_ >= 0) close(end_descriptor_);
}

bool ChildProcess::has_ended() {
  if (at_its_end_) return true;
  if (Steady::now() - threads_looked_at_ > between_looks) {
    release_traced_threads(id_);
    threads_looked_at_ = Steady::now();
  }
  return at_its_end_ = is_at_its_end(id_);
}

bool ChildProcess::wait(std::chrono::milliseconds longest) {
  if (has_ended()) return true;
  pollfd watched{end_descriptor_, POLLIN, 0};
  const auto time = end_descriptor_ >= 0 ? longest : std::min(longest, without_descriptor);
  poll(&watched, end_descriptor_ >= 0 ? 1 : 0, static_cast<int>(time.count()));
  return has_ended();
}

bool ChildProcess::ends_within(double seconds) {
  for (TimeLimit limit(seconds); !wait(between_looks);)
    if (limit.is_over()) return false;
  return true;
}

// Its group has its own number, unless it has left it: so it is killed as a process, too. While its status is not
// taken, no other process and no other group can have that number.
void ChildProcess::finish() {
  if (finished_) return;
  finished_ = true;
  const Deadline deadline = Steady::now() + max_finish;
  if (!has_ended()) kill(id_, SIGKILL);
  kill_group();
  while (!wait(between_looks) && Steady::now() < deadline) continue;
  if (has_ended()) {
    kill_group();  // what came into it meanwhile
    status_ = take_status(id_);
    forget(id_);
  } else {
    left_.push_back(id_);
  }
  if (leftovers_ == Leftovers::kept) return;
  const std::vector<pid_t> orphans = kill_orphans(deadline);
  left_.insert(left_.end(), orphans.begin(), orphans.end());
}

void ChildProcess::kill_group() const {
  if (leftovers_ == Leftovers::killed) kill(-id_, SIGKILL);
}

void ChildProcess::tell(Ended& ended, bool timed_out) const {
  ended.left = left_;
  if (at_its_end_ && !status_)
    throw base::Error("the exit status of a child process is not available: somebody else has taken it");
  const int status = status_.value_or(W_EXITCODE(0, SIGKILL));
  ended.how = timed_out ? End::timed_out : WIFSIGNALED(status) ? End::killed : End::exited;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace poslab::process
