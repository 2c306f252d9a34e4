// SPDX-License-Identifier: Apache-2.0
#include "assigned_cells.hpp"

#include <utility>

namespace poslab::workers {
namespace {

Task take_front(std::deque<Task>& tasks) {
  Task task = std::move(tasks.front());
  tasks.pop_front();
  return task;
}

}  // namespace

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
