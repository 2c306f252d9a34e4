// SPDX-License-Identifier: Apache-2.0
// The host's side of one worker process: the cells that are in its hands, and since when.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/process/partner.hpp"
#include "poslab/run/workshop.hpp"

namespace poslab::run {

using Clock = std::chrono::steady_clock;

/// A cell to perform.
struct Task {
  std::size_t index = 0;
  base::Cell cell;
  int kills = 0;  ///< workers that somebody else killed while they had it
};

struct Flight {
  Task task;
  Clock::time_point given;
  std::optional<Clock::time_point> begun;  ///< once a thread of the worker has taken it up
};

class Worker {
 public:
  /// Throws process::NoProcess.
  Worker(const WorkshopOptions& options, int threads, const std::vector<base::SchemeInfo>& known);

  void know(const base::SchemeInfo& scheme);
  /// Sends a question; whatever it loads for the answer may be to blame for its death later.
  void ask(char kind, std::string_view body);
  void give(Task task);
  /// What it says, but for whether it is ready. Waits as process::Partner::listen.
  std::vector<process::Message> listen(int wait_ms);
  /// Throws process::NoProcess if it ended before all its threads stood: then no cell and no library is to blame.
  void require_begun(const std::string& manner) const;
  void note_begun(std::size_t index);
  /// Takes a cell out of its hands; nothing if it does not have it.
  std::optional<Task> take(std::size_t index);
  std::vector<Task> take_all();
  /// The cells that have begun.
  std::vector<std::size_t> begun() const;
  /// The cells that are in its hands for longer than `seconds`, not counting the time that they waited for a thread.
  std::vector<std::size_t> overdue(double seconds) const;
  /// So long nobody looked: the whole machine may have stood still, and no cell is late for it.
  void excuse(Clock::duration time);

  process::Partner& partner() { return partner_; }
  std::size_t load() const { return flights_.size(); }
  /// Whether it has done nothing yet but what is in its hands: nothing older can be to blame for its death.
  bool is_fresh() const { return fresh_; }

  bool on_trial = false;  ///< it performs one suspect, and nothing beside

 private:
  process::Partner partner_;
  std::map<std::size_t, Flight> flights_;
  bool fresh_ = true, ready_ = false;
};

}  // namespace poslab::run
