// SPDX-License-Identifier: Apache-2.0
#include "worker.hpp"

#include <fmt/format.h>

#include "messages.hpp"
#include "poslab/base/pack.hpp"

namespace poslab::run {

Worker::Worker(const WorkshopOptions& options, int threads, const std::vector<base::SchemeInfo>& known)
    : partner_({"worker", "--threads", std::to_string(threads), "--memory", fmt::format("{:.0f}", options.memory)}) {
  for (const base::SchemeInfo& scheme : known) know(scheme);
}

void Worker::know(const base::SchemeInfo& scheme) { partner_.send(message::know_scheme, base::pack(scheme)); }

void Worker::ask(char kind, std::string_view body) {
  fresh_ = false;
  partner_.send(kind, body);
}

void Worker::give(Task task) {
  partner_.send(message::perform_cell, message::numbered(task.index, base::pack(task.cell)));
  const std::size_t index = task.index;
  flights_[index] = {std::move(task), Clock::now(), std::nullopt};
}

std::vector<process::Message> Worker::listen(int wait_ms) {
  std::vector<process::Message> messages = partner_.listen(wait_ms);
  const std::size_t all = messages.size();
  std::erase_if(messages, [](const process::Message& message) { return message.kind == message::ready; });
  ready_ |= messages.size() < all;
  return messages;
}

void Worker::require_begun(const std::string& manner) const {
  if (!ready_) throw process::NoProcess("a worker could not begin: it " + manner);
}

void Worker::note_begun(std::size_t index) {
  if (const auto flight = flights_.find(index); flight != flights_.end()) flight->second.begun = Clock::now();
}

std::optional<Task> Worker::take(std::size_t index) {
  const auto flight = flights_.find(index);
  if (flight == flights_.end()) return std::nullopt;
  Task task = std::move(flight->second.task);
  flights_.erase(flight);
  fresh_ = false;
  return task;
}

std::vector<Task> Worker::take_all() {
  std::vector<Task> tasks;
  for (auto& [index, flight] : flights_) tasks.push_back(std::move(flight.task));
  flights_.clear();
  return tasks;
}

std::vector<std::size_t> Worker::begun() const {
  std::vector<std::size_t> all;
  for (const auto& [index, flight] : flights_)
    if (flight.begun) all.push_back(index);
  return all;
}

std::vector<std::size_t> Worker::overdue(double seconds) const {
  const auto now = Clock::now();
  std::vector<std::size_t> late;
  for (const auto& [index, flight] : flights_) {
    // One that was not begun waits for a cell that may itself take its whole time.
    const double allowed = flight.begun ? seconds : 2 * seconds;
    if (std::chrono::duration<double>(now - flight.begun.value_or(flight.given)).count() > allowed)
      late.push_back(index);
  }
  return late;
}

void Worker::excuse(Clock::duration time) {
  for (auto& [index, flight] : flights_) {
    flight.given += time;
    if (flight.begun) *flight.begun += time;
  }
}

}  // namespace poslab::run
