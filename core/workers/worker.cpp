// SPDX-License-Identifier: Apache-2.0
#include "worker.hpp"

#include <fmt/format.h>

#include <utility>

#include "poslab/data/pack.hpp"
#include "protocol.hpp"

namespace poslab::workers {

Worker::Worker(const BackendOptions& options, int threads, const std::vector<data::SchemeInfo>& schemes)
    : process_({"worker", "--threads", std::to_string(threads), "--memory", fmt::format("{:.0f}", options.memory)}) {
  for (const data::SchemeInfo& scheme : schemes) know(scheme);
}

void Worker::know(const data::SchemeInfo& scheme) { process_.send(message::know_scheme, data::pack(scheme)); }

void Worker::ask(char kind, std::string_view body) {
  fresh_ = false;
  process_.send(kind, body);
}

void Worker::start(Task task) {
  process_.send(message::perform_cell, message::numbered(task.index, data::pack(task.cell)));
  cells_.add(std::move(task), Clock::now());
}

std::optional<Task> Worker::finish(std::size_t index) {
  std::optional<Task> task = cells_.remove(index);
  if (task) fresh_ = false;
  return task;
}

std::vector<process::Message> Worker::receive(int wait_ms) {
  std::vector<process::Message> messages = process_.receive(wait_ms);
  ready_ |= std::erase_if(messages, [](const auto& message) { return message.kind == message::ready; }) > 0;
  return messages;
}

void Worker::require_was_ready(const std::string& how_it_ended) const {
  if (!ready_) throw process::NoProcess("a worker could not begin: it " + how_it_ended);
}

}  // namespace poslab::workers
