// SPDX-License-Identifier: Apache-2.0
#include "spawn.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "poslab/process/child.hpp"

namespace poslab::process {
Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw NoProcess(std::strerror(errno));
  try {
    read_ = moved_up(ends[0]);
    write_ = moved_up(ends[1]);
  } catch (...) {
    close(read_ < 0 ? ends[1] : read_);
    throw;
  }
  fcntl(read_, F_SETFL, O_NONBLOCK);
}

Pipe::~Pipe() {
  close_write_end();
  if (read_ >= 0) close(read_);
}

void Pipe::close_write_end() {
  if (write_ >= 0) close(std::exchange(write_, -1));
}

std::size_t Pipe::drain() {
  if (read_ < 0) return 0;
  std::array<char, 4096> bytes{};
  std::size_t arrived = 0;
  ssize_t count = 1;
  // A bounded number of times: a child that writes without end must not keep us from looking at the clock.
  for (int round = 0; round < 64 && (count = read(read_, bytes.data(), bytes.size())) > 0; ++round) {
    text.append(bytes.data(), static_cast<std::size_t>(count));
    arrived += static_cast<std::size_t>(count);
    if (text.size() > max_kept) text.erase(0, text.size() - max_kept);
  }
  const bool is_open = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  if (!is_open) close(std::exchange(read_, -1));
  return arrived;
}

}  // namespace poslab::process
