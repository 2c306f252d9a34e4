// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/child.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

namespace poslab::process {
namespace {

// In memory that both processes see: an exit code alone could be that of the work.
class Flag {
 public:
  Flag() : memory_(mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw NoProcess(std::strerror(errno));
    state_ = new (memory_) State(false);
  }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;
  ~Flag() { munmap(memory_, sizeof(State)); }
  void set() { state_->store(true); }
  bool is_set() const { return state_->load(); }

 private:
  using State = std::atomic<bool>;
  void* memory_;
  State* state_;
};

// The status of a copy that has ended: one that lets itself be traced reports its stops, too.
int status_of(pid_t copy) {
  for (int status = 0;;) {
    const pid_t found = waitpid(copy, &status, __WALL);
    if (found < 0 && errno != EINTR) return W_EXITCODE(EXIT_FAILURE, 0);
    if (found == copy && (WIFEXITED(status) || WIFSIGNALED(status))) return status;
  }
}

[[noreturn]] void end_like(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  kill(getpid(), signal);
  _exit(EXIT_FAILURE);
}

}  // namespace

void in_a_copy(const std::function<void()>& work) {
  Flag done;
  const pid_t original = getpid(), copy = fork();
  if (copy < 0) throw NoProcess(std::strerror(errno));
  if (copy == 0) {
    end_with_parent();
    if (getppid() != original) _exit(EXIT_FAILURE);  // it has ended already
    work();
    done.set();
    _exit(EXIT_SUCCESS);
  }
  const int status = status_of(copy);
  if (!done.is_set()) end_like(status);
}

}  // namespace poslab::process
