// SPDX-License-Identifier: Apache-2.0
// Performs cells: all that the engine knows of a backend.
#pragma once

#include <cstddef>
#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/data/checkpoint.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::workers {

/// A cell that the executor does not have any more, by the index that `start` was given.
struct Finished {
  enum class How { performed, cancelled, interrupted };
  std::size_t index = 0;
  data::PackedOutcome outcome;  ///< of one that was cancelled it says why; one that was interrupted has none
  How how = How::performed;
};

/// What a cell that is performed says of itself.
struct ProgressReport {
  std::size_t index = 0;
  data::Progress progress;
  data::CheckpointPointer checkpoint = nullptr;  ///< null: it has kept none now
};

class CellExecutor {
 public:
  virtual ~CellExecutor() = default;
  /// How many cells it can have at once.
  virtual int slots() const = 0;
  /// `checkpoint`: what the cell goes on from; null: it begins.
  virtual void start(std::size_t index, const data::Cell& cell, data::CheckpointPointer checkpoint) = 0;
  /// Waits until a cell is done, or for a while. Precondition: it has cells.
  virtual std::vector<Finished> wait() = 0;
  /// What was said since the last call; after `wait`, by cells that it returned as done, too.
  virtual std::vector<ProgressReport> progress_reports() { return {}; }
  /// Cells that keep checkpoints keep one and end, and so do those that have not begun; the others are performed.
  /// Called once: nothing is started after it.
  virtual void interrupt() {}
};

}  // namespace poslab::workers
