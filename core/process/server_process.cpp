// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/server_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <utility>

#include "children.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

constexpr int max_end_ms = 1000;       // for it to end by itself
constexpr int socket_bytes = 1 << 20;  // on their way at most: fewer changes from one process to the other
constexpr std::size_t max_parts = 64;  // of one system call; fewer than any system's IOV_MAX

// Our environment, with these in place of those of the same names.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string ours = *entry, name = ours.substr(0, ours.find('=') + 1);
    if (std::none_of(variables.begin(), variables.end(), [&](const auto& its) { return its.starts_with(name); }))
      all.push_back(ours);
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t spawn(std::vector<std::string> words, const std::vector<std::string>& variables, int its_end) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, its_end, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);  // a worker's connection to its host is not the file's
  std::vector<std::string> environment = environment_with(variables);
  pid_t child = 0;
  const int problem = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers_to(words).data(),
                                   pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem == EAGAIN || problem == ENOMEM) throw NoProcess(std::strerror(problem));
  if (problem != 0) throw NoProgram(words[0], problem);
  return child;
}

// Calls `move`, sendmsg or recvmsg, until all parts are through.
template <class Move>
bool move_all(std::vector<iovec>& parts, const Move& move) {
  std::size_t first = 0;
  for (;;) {
    while (first < parts.size() && parts[first].iov_len == 0) ++first;
    if (first == parts.size()) return true;
    msghdr message{};
    message.msg_iov = &parts[first];
    message.msg_iovlen = std::min(parts.size() - first, max_parts);
    ssize_t moved = move(&message);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return false;
    for (std::size_t i = first; moved > 0; ++i) {
      const auto taken = std::min<std::size_t>(static_cast<std::size_t>(moved), parts[i].iov_len);
      parts[i].iov_base = static_cast<char*>(parts[i].iov_base) + taken;
      parts[i].iov_len -= taken;
      moved -= static_cast<ssize_t>(taken);
    }
  }
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& words, const std::vector<std::string>& variables) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw NoProcess(std::strerror(errno));
  for (int& end : ends) {
    setsockopt(end, SOL_SOCKET, SO_SNDBUF, &socket_bytes, sizeof socket_bytes);
    end = moved_up(end);
  }
  try {
    id_ = start_beside([&] { return spawn(words, variables, ends[1]); });
  } catch (...) {
    for (const int end : ends) close(end);
    throw;
  }
  close(ends[1]);
  connection_ = ends[0];
}

ServerProcess::~ServerProcess() { end(); }

bool ServerProcess::send(std::vector<iovec> parts) {
  return move_all(parts, [&](msghdr* message) { return sendmsg(connection_, message, MSG_NOSIGNAL); });
}

bool ServerProcess::receive(std::vector<iovec> parts) {
  return move_all(parts, [&](msghdr* message) { return recvmsg(connection_, message, 0); });
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

std::string ServerProcess::end() {
  if (connection_ >= 0) close(std::exchange(connection_, -1));
  if (id_ == 0) return how_it_ended_;
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
  pollfd watched{descriptor, POLLIN, 0};
  if (descriptor < 0 || poll(&watched, 1, max_end_ms) <= 0) kill(id_, SIGKILL);
  if (descriptor >= 0) close(descriptor);
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  forget(std::exchange(id_, 0));
  how_it_ended_ = WIFSIGNALED(status) ? "was ended by " + signal_text(WTERMSIG(status))
                                      : fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return how_it_ended_;
}

}  // namespace poslab::process
