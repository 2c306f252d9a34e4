// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/partner.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "pipe.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

constexpr std::size_t most_kept = 64 << 10;          // of what a partner prints
constexpr std::chrono::milliseconds patience{2000};  // with one that was asked to end

}  // namespace

struct Partner::Streams {
  Pipe output, complaint;
  int connection = -1;
  ~Streams() { close_connection(); }
  void close_connection() {
    if (connection >= 0) close(std::exchange(connection, -1));
  }
};

Partner::Partner(const std::vector<std::string>& arguments) : streams_(std::make_unique<Streams>()) {
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
    child_ = spawn_self(arguments, its_end, streams_->output.write_end(), streams_->complaint.write_end());
  } catch (...) {
    close(its_end);
    throw;
  }
  close(its_end);
  streams_->output.close_write_end();
  streams_->complaint.close_write_end();
}

Partner::~Partner() {
  if (collected_) return;
  streams_->close_connection();
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (reaped_ || waitpid(child_, &status_, WNOHANG) == child_) {
      kill(-child_, SIGKILL);  // whatever it has left behind
      return;
    }
    streams_->output.take(most_kept);  // it may be waiting for us to read
    streams_->complaint.take(most_kept);
    usleep(500);
  }
  end();
}

void Partner::send(char kind, std::string_view body) {
  outgoing_ += framed(kind, body);
  write_waiting();
}

void Partner::write_waiting() {
  while (!outgoing_.empty() && !gone_) {
    const ssize_t count = ::send(streams_->connection, outgoing_.data(), outgoing_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // full for now, or gone: then reading tells
    outgoing_.erase(0, static_cast<std::size_t>(count));
  }
}

void Partner::read_waiting() {
  std::array<char, 1 << 16> bytes{};
  // Not for ever, as in Pipe::take; what one that has died left behind is no more than fits into the system's buffer.
  for (int turn = 0; turn < 64 && !gone_; ++turn) {
    const ssize_t count = recv(streams_->connection, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count > 0) frames_.add({bytes.data(), static_cast<std::size_t>(count)});
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) gone_ = true;
  }
}

std::vector<Message> Partner::listen(int wait_ms) {
  if (!gone_ && wait_ms != 0) wait_for_any({this}, wait_ms);
  write_waiting();
  // Its end of the connection may outlive it, in the hands of a process that a plugin has started.
  const bool dead = !reaped_ && waitpid(child_, &status_, WNOHANG) == child_;
  reaped_ |= dead;
  read_waiting();
  gone_ |= reaped_;
  streams_->output.take(most_kept);
  streams_->complaint.take(most_kept);
  std::vector<Message> messages;
  try {
    while (auto message = frames_.next()) messages.push_back(std::move(*message));
  } catch (const NoMessage&) {
    distrust();
  }
  return messages;
}

const Ended& Partner::end(bool timed_out) {
  if (collected_) return ended_;
  gone_ = true;
  // One that has closed its connection is most likely ending: its own signal says more than our SIGKILL.
  const auto deadline = std::chrono::steady_clock::now() + (timed_out || nonsense_ ? patience * 0 : patience / 8);
  while (!reaped_ && !(reaped_ = waitpid(child_, &status_, WNOHANG) == child_) &&
         std::chrono::steady_clock::now() < deadline) {
    streams_->output.take(most_kept);
    streams_->complaint.take(most_kept);
    usleep(500);
  }
  kill(-child_, SIGKILL);  // itself, or whatever it has left behind
  if (!reaped_) {
    waitpid(child_, &status_, 0);
    killed_ = true;
  }
  note_end(ended_, status_);
  if (timed_out) ended_.how = End::timed_out;
  for (Pipe* pipe : {&streams_->output, &streams_->complaint}) pipe->take(most_kept);
  ended_.output = streams_->output.text;
  ended_.complaint = streams_->complaint.text;
  collected_ = true;
  streams_->close_connection();
  return ended_;
}

void Partner::wait_for_any(const std::vector<Partner*>& partners, int wait_ms) {
  std::vector<pollfd> watched;
  for (const Partner* partner : partners) {
    if (partner->gone_) return;
    const short events = static_cast<short>(partner->outgoing_.empty() ? POLLIN : POLLIN | POLLOUT);
    watched.push_back({partner->streams_->connection, events, 0});
    watched.push_back({partner->streams_->output.read_end(), POLLIN, 0});
    watched.push_back({partner->streams_->complaint.read_end(), POLLIN, 0});
  }
  poll(watched.data(), watched.size(), wait_ms);
}

}  // namespace poslab::process
