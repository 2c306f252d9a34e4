// SPDX-License-Identifier: Apache-2.0
// An attempt at a cell that is watched by the clock: whoever performs the cell is told a few times a second how far it
// is, and a checkpoint is due at fixed intervals.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "poslab/data/checkpoint.hpp"
#include "poslab/experiment/attempt.hpp"

namespace poslab::workers {

/// Who is told; on the thread that performs the cell.
struct AttemptEvents {
  std::function<void(const data::Progress&)> progress;
  std::function<void(data::Checkpoint)> kept;
};

/// When a checkpoint is due: so many seconds after the last, 0 being after every step; and how large one may be.
struct CheckpointRule {
  double seconds = 20;
  const std::atomic<bool>* interrupt = nullptr;  ///< once it is set, one is due at once, and is the last
  std::size_t max_bytes = data::max_checkpoint;
};

/// Thrown out of a cell that was told to end and has kept what it would go on from.
struct Interrupted {};

class TimedAttempt : public experiments::Attempt {
 public:
  using Clock = std::chrono::steady_clock;
  /// Between two tellings of progress.
  static constexpr std::chrono::milliseconds min_interval{300};

  /// Goes on from `checkpoint`, if it is not empty. `now` is the clock, another one in tests.
  TimedAttempt(
      std::string checkpoint, const CheckpointRule& rule, AttemptEvents events,
      std::function<Clock::time_point()> now = [] { return Clock::now(); });

  const std::string& checkpoint() const override { return checkpoint_; }
  bool progress(const data::Progress& progress) override;
  /// One that is larger than anybody can store is let go, and no further one is asked for. Throws Interrupted.
  void keep(std::string checkpoint) override;

 private:
  bool is_interrupted() const { return rule_.interrupt && rule_.interrupt->load(std::memory_order_relaxed); }

  const std::string checkpoint_;
  const CheckpointRule rule_;
  AttemptEvents events_;
  std::function<Clock::time_point()> now_;
  data::Progress last_;
  Clock::time_point told_, kept_;
  bool any_told_ = false, too_large_ = false;
};

}  // namespace poslab::workers
