// SPDX-License-Identifier: Apache-2.0
#include "assigned_cells.hpp"

#include <algorithm>
#include <utility>

namespace poslab::workers {
namespace {

Task take_front(std::deque<Task>& tasks) {
  Task task = std::move(tasks.front());
  tasks.pop_front();
  return task;
}

}  // namespace

void AssignedCells::add(Task task, Clock::time_point now) {
  const std::size_t index = task.index;
  cells_[index] = {std::move(task), now, std::nullopt};
}

void AssignedCells::mark_started(std::size_t index, Clock::time_point now) {
  if (const auto found = cells_.find(index); found != cells_.end()) found->second.started = now;
}

bool AssignedCells::mark_progress(std::size_t index, const data::Progress& progress, Clock::time_point now) {
  const auto found = cells_.find(index);
  if (found == cells_.end()) return false;
  Assignment& assignment = found->second;
  const bool is_further = !assignment.progress || progress.done > assignment.progress->done;
  if (!is_further) return true;
  assignment.progress = progress;
  assignment.started = now;
  for (auto& [other, waiting] : cells_)
    if (!waiting.started) waiting.assigned = now;
  return true;
}

void AssignedCells::keep(std::size_t index, data::CheckpointPointer checkpoint) {
  if (const auto found = cells_.find(index); found != cells_.end())
    found->second.task.checkpoint = std::move(checkpoint);
}

std::string AssignedCells::said(std::size_t index) const {
  const auto found = cells_.find(index);
  if (found == cells_.end()) return "";
  const Assignment& assignment = found->second;
  if (assignment.progress) return assignment.progress->sentence;
  return assignment.task.checkpoint ? assignment.task.checkpoint->progress.sentence : "";
}

std::optional<Task> AssignedCells::remove(std::size_t index) {
  const auto found = cells_.find(index);
  if (found == cells_.end()) return std::nullopt;
  Task task = std::move(found->second.task);
  cells_.erase(found);
  return task;
}

std::vector<Task> AssignedCells::remove_all() {
  std::vector<Task> tasks;
  for (auto& [index, assignment] : cells_) tasks.push_back(std::move(assignment.task));
  cells_.clear();
  return tasks;
}

std::vector<std::size_t> AssignedCells::started() const {
  std::vector<std::size_t> indices;
  for (const auto& [index, assignment] : cells_)
    if (assignment.started) indices.push_back(index);
  return indices;
}

std::vector<std::size_t> AssignedCells::overdue(double seconds, Clock::time_point now) const {
  std::vector<std::size_t> indices;
  for (const auto& [index, assignment] : cells_) {
    // A cell that waits for a thread waits for another cell, which may itself take all of its time.
    const double allowed = assignment.started ? seconds : 2 * seconds;
    const auto since = assignment.started.value_or(assignment.assigned);
    if (std::chrono::duration<double>(now - since).count() > allowed) indices.push_back(index);
  }
  return indices;
}

bool AssignedCells::are_long() const {
  return std::all_of(cells_.begin(), cells_.end(), [](const auto& cell) { return cell.second.progress.has_value(); });
}

void AssignedCells::restart_waits(Clock::time_point now) {
  for (auto& [index, assignment] : cells_) assignment.assigned = now;
}

void AssignedCells::postpone(Clock::duration time) {
  for (auto& [index, assignment] : cells_) {
    assignment.assigned += time;
    if (assignment.started) *assignment.started += time;
  }
}

Task CellQueue::take_waiting() { return take_front(waiting_); }
Task CellQueue::take_suspect() { return take_front(suspects_); }

std::vector<std::size_t> CellQueue::remove_if(const std::function<bool(const data::Cell&)>& is_unwanted) {
  std::vector<std::size_t> removed;
  for (std::deque<Task>* tasks : {&waiting_, &suspects_})
    std::erase_if(*tasks, [&](const Task& task) {
      if (!is_unwanted(task.cell)) return false;
      removed.push_back(task.index);
      return true;
    });
  return removed;
}

}  // namespace poslab::workers
