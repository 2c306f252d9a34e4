// SPDX-License-Identifier: Apache-2.0
#include "worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "poslab/data/mixed.hpp"
#include "poslab/data/pack.hpp"
#include "protocol.hpp"

namespace poslab::workers {
namespace {

constexpr std::chrono::seconds max_start{60};  // of a process and its threads, on a machine that is busy

}  // namespace

Worker::Worker(const BackendOptions& options, int threads)
    : process_({"worker", "--threads", std::to_string(threads), "--memory", fmt::format("{:.0f}", options.memory),
                "--checkpoint", fmt::format("{:g}", options.checkpoint_seconds)}) {}

void Worker::serve(const data::SchemeInfo& scheme) {
  plugin_ = scheme.file;
  for (const data::SchemeInfo& plugin : data::plugins_of(scheme))
    process_.send(message::register_scheme, data::pack(plugin));
}

void Worker::provide(const std::vector<GivenContents>& all, const data::Cell& cell) {
  for (const GivenContents& one : all) {
    const auto names_it = [&](const data::Given& given) { return given.hash == one.hash; };
    if (std::none_of(cell.given.begin(), cell.given.end(), names_it) || !given_.insert(one.hash).second) continue;
    process_.send(message::add_contents, message::pack_contents(one.hash, *one.contents));
  }
}

void Worker::ask(char kind, std::string_view body) {
  fresh_ = false;
  process_.send(kind, body);
}

void Worker::start(Task task) {
  process_.send(message::perform_cell, message::pack_task(task.index, task.cell, task.checkpoint));
  cells_.add(std::move(task), Clock::now());
}

std::optional<Task> Worker::finish(std::size_t index) {
  std::optional<Task> task = cells_.remove(index);
  if (task) fresh_ = false;
  return task;
}

std::vector<process::Message> Worker::receive(int wait_ms) {
  std::vector<process::Message> messages = process_.receive(wait_ms);
  const bool was_ready = ready_;
  ready_ |= std::erase_if(messages, [](const auto& message) { return message.kind == message::ready; }) > 0;
  if (ready_ && !was_ready) cells_.restart_waits(Clock::now());
  return messages;
}

void Worker::look_for_stop(Clock::time_point now) {
  const bool is_stopped_now = process_.is_stopped();
  if (is_stopped_now && !stopped_since_) stopped_since_ = now;
  if (is_stopped_now || !stopped_since_) return;
  cells_.postpone(now - *stopped_since_);
  stopped_since_.reset();
}

void Worker::require_was_ready(const std::string& how_it_ended) const {
  if (!ready_) throw process::NoProcess("a worker could not begin: it " + how_it_ended);
}

void Worker::await_ready() {
  while (!ready_ && !process_.is_gone()) {
    receive(100);
    require_ready_in_time();
  }
}

void Worker::require_ready_in_time() const {
  if (!ready_ && Clock::now() - born_ > max_start)
    throw process::NoProcess(fmt::format("a worker could not begin: it did nothing for {} s", max_start.count()));
}

}  // namespace poslab::workers
