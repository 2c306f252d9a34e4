// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace poslab::process {
namespace {

constexpr int pipe_bytes = 1 << 20;  // on their way at most: fewer changes from one process to the other
constexpr std::chrono::microseconds max_awake{200};  // for an answer; to be woken on another core takes a quarter of it
constexpr int max_asleep = 1000;                     // answers that are waited for asleep once being awake was in vain

// A third of a microsecond, in which the other side has more of a core that both share.
void rest() {
#ifdef __x86_64__
  for (int i = 0; i < 20; ++i) __builtin_ia32_pause();
#endif
}

}  // namespace

Connection::Connection() {
  fcntl(requests.read_end(), F_SETFL, 0);
  for (const int ours : {requests.write_end(), answers.read_end()}) fcntl(ours, F_SETFL, O_NONBLOCK);
  for (const Pipe* pipe : {&requests, &answers}) fcntl(pipe->write_end(), F_SETPIPE_SZ, pipe_bytes);
}

ssize_t Connection::give(const iovec* parts, int count) {
  const ssize_t given = writev(requests.write_end(), parts, count);
  if (given >= 0 || errno != EAGAIN) return given;
  std::array<pollfd, 2> watched{pollfd{requests.write_end(), POLLOUT, 0}, pollfd{answers.read_end(), 0, 0}};
  poll(watched.data(), watched.size(), -1);
  errno = EINTR;
  return (watched[1].revents & POLLHUP) != 0 ? 0 : -1;
}

ssize_t Connection::take(char* bytes, std::size_t count) {
  if (begin_ == end_) {
    if (count >= arrived_.size()) return wait(bytes, count);
    const ssize_t more = wait(arrived_.data(), arrived_.size());
    if (more <= 0) return more;
    begin_ = 0, end_ = static_cast<std::size_t>(more);
  }
  const std::size_t taken = std::min(count, end_ - begin_);
  std::memcpy(bytes, arrived_.data() + begin_, taken);
  begin_ += taken;
  return static_cast<ssize_t>(taken);
}

// As read, which does not wait.
ssize_t Connection::wait(char* bytes, std::size_t count) {
  const bool is_awake = asleep_ == 0;
  if (!is_awake) --asleep_;
  ssize_t taken = is_awake ? wait_awake(bytes, count) : read(answers.read_end(), bytes, count);
  while (taken < 0 && errno == EAGAIN) {
    pollfd watched{answers.read_end(), POLLIN, 0};
    poll(&watched, 1, -1);
    taken = read(answers.read_end(), bytes, count);
  }
  return taken;
}

// Where this is in vain, since an answer takes longer or no core is free for it, it is tried more and more rarely. It
// yields to nobody: those who wait for this core may keep it for milliseconds.
ssize_t Connection::wait_awake(char* bytes, std::size_t count) {
  const auto end = std::chrono::steady_clock::now() + max_awake;
  ssize_t taken = read(answers.read_end(), bytes, count);
  while (taken < 0 && errno == EAGAIN && std::chrono::steady_clock::now() < end) {
    rest();
    taken = read(answers.read_end(), bytes, count);
  }
  in_vain_ = taken >= 0 ? 0 : std::min(2 * in_vain_ + 1, max_asleep);
  asleep_ = in_vain_;
  return taken;
}

}  // namespace poslab::process
