// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/worker_process.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "child_process.hpp"
#include "children.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

// For a worker to exit after its connection was closed, by us or by itself.
constexpr std::chrono::milliseconds exit_time{2000}, exit_time_after_close{250};
constexpr useconds_t poll_interval = 500;  // microseconds

}  // namespace

struct WorkerProcess::Streams {
  Pipe output, error_output;
  int connection = -1;
  ~Streams() { close_connection(); }
  void close_connection() {
    if (connection >= 0) close(std::exchange(connection, -1));
  }
};

WorkerProcess::WorkerProcess(const std::vector<std::string>& arguments) : streams_(std::make_unique<Streams>()) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw NoProcess(std::strerror(errno));
  try {
    streams_->connection = moved_up(ends[0]);
  } catch (...) {
    close(ends[1]);
    throw;
  }
  const int its_end = moved_up(ends[1]);
  try {
    // NOLINTNEXTLINE(modernize-make-unique): it can be neither copied nor moved
    child_.reset(new ChildProcess(
        spawn_self(arguments, its_end, streams_->output.write_end(), streams_->error_output.write_end())));
  } catch (...) {
    close(its_end);
    throw;
  }
  close(its_end);
  streams_->output.close_write_end();
  streams_->error_output.close_write_end();
}

// Also keeps a worker from blocking on a full pipe.
void WorkerProcess::drain_output() {
  streams_->output.drain();
  streams_->error_output.drain();
}

WorkerProcess::~WorkerProcess() {
  if (reaped_) return;
  streams_->close_connection();
  wait_for_exit(exit_time);
}  // what is left of the child ends with `child_`

void WorkerProcess::wait_for_exit(std::chrono::milliseconds longest) {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  while (!child_->has_ended() && std::chrono::steady_clock::now() < deadline) {
    drain_output();
    usleep(poll_interval);
  }
}

bool WorkerProcess::is_stopped() const { return process::is_stopped(child_->id()); }

pid_t WorkerProcess::id() const { return child_->id(); }

void WorkerProcess::send(char kind, std::string_view body) {
  outgoing_ += framed(kind, body);
  write_queued();
}

void WorkerProcess::write_queued() {
  while (sent_ < outgoing_.size() && !gone_) {
    const ssize_t count =
        ::send(streams_->connection, outgoing_.data() + sent_, outgoing_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // full for now, or closed: then reading tells
    sent_ += static_cast<std::size_t>(count);
  }
  outgoing_ = {};  // a checkpoint may have been large
  sent_ = 0;
}

void WorkerProcess::read_arrived() {
  std::array<char, 1 << 16> bytes{};
  // A bounded number of times, as in Pipe::drain; what a dead worker left behind fits into the system's buffer.
  for (int round = 0; round < 64 && !gone_; ++round) {
    const ssize_t count = recv(streams_->connection, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count > 0) frames_.add({bytes.data(), static_cast<std::size_t>(count)});
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) gone_ = true;
  }
}

std::vector<Message> WorkerProcess::receive(int wait_ms) {
  if (!gone_ && wait_ms != 0) wait_for_any({this}, wait_ms);
  write_queued();
  // Looked at first: then everything that it has sent can be read below. The connection alone cannot tell: a process
  // that a plugin has started may hold the worker's end of it.
  const bool exited = child_->has_ended();
  read_arrived();
  gone_ |= exited;
  drain_output();
  std::vector<Message> messages;
  try {
    while (auto message = frames_.next()) messages.push_back(std::move(*message));
  } catch (const MalformedFrame&) {
    reject();
  }
  return messages;
}

const Ended& WorkerProcess::reap(bool timed_out) {
  if (reaped_) return ended_;
  gone_ = true;
  // A worker that has closed its connection is most likely about to exit: its own signal says more than our SIGKILL.
  if (!timed_out && !broke_protocol_) wait_for_exit(exit_time_after_close);
  killed_ = !child_->has_ended();
  child_->finish();
  reaped_ = true;
  streams_->close_connection();
  child_->tell(ended_, timed_out);
  drain_output();
  ended_.output = streams_->output.text;
  ended_.error_output = streams_->error_output.text;
  return ended_;
}

void WorkerProcess::wait_for_any(const std::vector<WorkerProcess*>& processes, int wait_ms) {
  std::vector<pollfd> watched;
  for (const WorkerProcess* process : processes) {
    if (process->gone_) return;
    const short events = static_cast<short>(process->outgoing_.empty() ? POLLIN : POLLIN | POLLOUT);
    watched.push_back({process->streams_->connection, events, 0});
    watched.push_back({process->streams_->output.read_end(), POLLIN, 0});
    watched.push_back({process->streams_->error_output.read_end(), POLLIN, 0});
  }
  poll(watched.data(), watched.size(), wait_ms);
}

}  // namespace poslab::process
