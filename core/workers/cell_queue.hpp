// SPDX-License-Identifier: Apache-2.0
// The cells that wait for a worker. Suspects are those that had a worker when it died: each is performed again, alone.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "assigned_cells.hpp"
#include "poslab/data/cell.hpp"

namespace poslab::workers {

class CellQueue {
 public:
  void add(Task task) { waiting_.push_back(std::move(task)); }
  void add_first(Task task) { waiting_.push_front(std::move(task)); }
  void add_suspect(Task task) { suspects_.push_back(std::move(task)); }

  bool has_waiting() const { return !waiting_.empty(); }
  bool has_suspects() const { return !suspects_.empty(); }
  const Task& first_waiting() const { return waiting_.front(); }   ///< precondition: there is one
  Task take_waiting();                                             ///< precondition: there is one
  const Task& first_suspect() const { return suspects_.front(); }  ///< precondition: there is one
  Task take_suspect();                                             ///< precondition: there is one
  /// Removes the cells that `is_unwanted`, and returns their indices.
  std::vector<std::size_t> remove_if(const std::function<bool(const data::Cell&)>& is_unwanted);

 private:
  std::deque<Task> waiting_, suspects_;
};

}  // namespace poslab::workers
