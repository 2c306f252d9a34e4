// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/server_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "children.hpp"
#include "connection.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

constexpr int max_end_ms = 1000;       // for it to end by itself
constexpr std::size_t max_parts = 64;  // of one system call; fewer than any system's IOV_MAX

pid_t spawn(std::vector<std::string> words, const std::vector<std::string>& variables, int requests, int answers) {
  SpawnSettings settings;
  posix_spawn_file_actions_adddup2(&settings.actions, requests, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, answers, answer_descriptor);
  // A worker's connection to its host is not the file's.
  posix_spawn_file_actions_addclosefrom_np(&settings.actions, answer_descriptor + 1);
  std::vector<std::string> environment = environment_with(variables);
  const std::string name = std::exchange(words[0], path_of_program(words[0]));
  pid_t child = 0;
  const int problem = posix_spawn(&child, words[0].c_str(), &settings.actions, nullptr, pointers_to(words).data(),
                                  pointers_to(environment).data());
  if (problem == EAGAIN || problem == ENOMEM) throw NoProcess(std::strerror(problem));
  if (problem != 0) throw NoProgram(name, problem);
  return child;
}

// Takes so many bytes off the front of the parts, from `first` on.
void use_up(std::vector<iovec>& parts, std::size_t first, std::size_t bytes) {
  for (std::size_t i = first; bytes > 0; ++i) {
    const std::size_t taken = std::min(bytes, parts[i].iov_len);
    parts[i] = {static_cast<char*>(parts[i].iov_base) + taken, parts[i].iov_len - taken};
    bytes -= taken;
  }
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& words, const std::vector<std::string>& variables)
    : owner_(getpid()), connection_(std::make_unique<Connection>()) {
  Pipe& answers = connection_->answers;
  id_ = start_beside([&] { return spawn(words, variables, connection_->requests.read_end(), answers.write_end()); });
  answers.close_write_end();
}

ServerProcess::~ServerProcess() { end(); }

bool ServerProcess::send(std::vector<iovec> parts) {
  if (!connection_ || getpid() != owner_) return false;
  for (std::size_t first = 0;;) {
    while (first < parts.size() && parts[first].iov_len == 0) ++first;
    if (first == parts.size()) return true;
    const ssize_t sent = connection_->give(&parts[first], static_cast<int>(std::min(parts.size() - first, max_parts)));
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    use_up(parts, first, static_cast<std::size_t>(sent));
  }
}

bool ServerProcess::receive(const std::vector<iovec>& parts) {
  if (!connection_) return false;
  for (const iovec& part : parts)
    for (std::size_t done = 0; done < part.iov_len;) {
      const ssize_t more = connection_->take(static_cast<char*>(part.iov_base) + done, part.iov_len - done);
      if (more < 0 && errno == EINTR) continue;
      if (more <= 0) return false;
      done += static_cast<std::size_t>(more);
    }
  return true;
}

bool ServerProcess::copy(const std::vector<iovec>& theirs, const std::vector<iovec>& ours) const {
  for (std::size_t i = 0; i < ours.size(); ++i)
    for (std::size_t done = 0; done < ours[i].iov_len;) {
      const iovec from{static_cast<char*>(theirs[i].iov_base) + done, theirs[i].iov_len - done};
      const iovec to{static_cast<char*>(ours[i].iov_base) + done, ours[i].iov_len - done};
      const ssize_t copied = process_vm_readv(id_, &to, 1, &from, 1, 0);
      if (copied <= 0) return false;
      done += static_cast<std::size_t>(copied);
    }
  return true;
}

ServerEnd ServerProcess::end() {
  connection_.reset();
  if (getpid() != owner_) id_ = 0;  // of a fork: its parent's it is
  if (id_ == 0) return ended_;
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
  pollfd watched{descriptor, POLLIN, 0};
  const bool ends_by_itself = descriptor >= 0 && poll(&watched, 1, max_end_ms) > 0;
  if (!ends_by_itself) kill(id_, SIGKILL);
  if (descriptor >= 0) close(descriptor);
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  forget(std::exchange(id_, 0));
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ended_.by_another = ends_by_itself && (signal == SIGKILL || signal == SIGTERM || signal == SIGHUP);
  if (ended_.by_another)
    ended_.how = fmt::format("was killed by signal {}, which poslab did not send; {}", signal,
                             MemoryKills::now().text_since(kills_before_));
  else if (signal == SIGKILL)
    ended_.how = "did not end when its connection was closed, and was killed";
  else
    ended_.how = signal != 0 ? "was ended by " + signal_text(signal)
                             : fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return ended_;
}

}  // namespace poslab::process
