// SPDX-License-Identifier: Apache-2.0
// Cells that wait for a worker, and those that one has.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/data/checkpoint.hpp"

namespace poslab::workers {

using Clock = std::chrono::steady_clock;

/// A cell to perform.
struct Task {
  std::size_t index = 0;
  data::Cell cell;
  data::CheckpointPointer checkpoint = nullptr;  ///< what it goes on from
  int kills = 0;                                 ///< workers that were killed from outside while they had it
  int losses = 0;                                ///< processes of its Python file that were killed from outside
  int false_starts = 0;                          ///< workers that had nothing else and did not begin with it
  int stops = 0;                                 ///< workers that had nothing else and were stopped when it was late
};

/// The cells that one worker has, and since when.
class AssignedCells {
 public:
  void add(Task task, Clock::time_point now);
  /// A thread of the worker has begun with the cell. An index that the worker does not have is ignored.
  void mark_started(std::size_t index, Clock::time_point now);
  /// A cell reports progress. If it is further than before, its time begins again, and so does that of the cells that
  /// wait for a thread: they wait for one that goes on. False if the worker does not have it.
  bool mark_progress(std::size_t index, const data::Progress& progress, Clock::time_point now);
  /// What a cell goes on from if its worker ends.
  void keep(std::size_t index, data::CheckpointPointer checkpoint);
  /// The sentence with which it last reported progress, here or when it kept what it goes on from; empty if never.
  std::string said(std::size_t index) const;
  /// Nothing if the worker does not have it.
  std::optional<Task> remove(std::size_t index);
  std::vector<Task> remove_all();

  std::size_t size() const { return cells_.size(); }
  /// Whether each of them goes on from somewhere if its worker ends: it has reported progress.
  bool are_long() const;
  std::vector<std::size_t> started() const;
  /// The cells that have run for longer than `seconds` without any progress, or have waited for a thread for twice as
  /// long.
  std::vector<std::size_t> overdue(double seconds, Clock::time_point now) const;
  /// The worker's threads have started only now: nobody has waited for a thread before.
  void restart_waits(Clock::time_point now);
  /// Nobody received messages, or no cell went on, for so long: that time does not count for any cell.
  void postpone(Clock::duration time);

 private:
  struct Assignment {
    Task task;
    Clock::time_point assigned;
    std::optional<Clock::time_point> started;  // or was last further than before
    std::optional<data::Progress> progress = std::nullopt;
  };
  std::map<std::size_t, Assignment> cells_;  // by index
};

/// The cells that wait for a worker. Suspects are those that had a worker when it died: each is performed again, alone.
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
