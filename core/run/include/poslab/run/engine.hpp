// SPDX-License-Identifier: Apache-2.0
// Hands cells of a plan to an executor: expensive ones first, as many at a time as it has slots for and memory allows;
// after all others those that want to be alone, one at a time; of repeats that share work one before the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>

#include "poslab/data/cell.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/study/plan.hpp"
#include "poslab/workers/cell_executor.hpp"

namespace poslab::run {

/// Where finished cells go, each by its index in the plan; on the thread that called perform_all.
class OutcomeSink {
 public:
  virtual ~OutcomeSink() = default;
  /// What a cell goes on from; null: it begins. Asked before `starting`.
  virtual data::CheckpointPointer checkpoint(std::size_t /*index*/) { return nullptr; }
  /// Whether another repeat has done what this cell shares with it, so that it need not begin with that.
  virtual bool has_head_start(std::size_t /*index*/) const { return false; }
  /// A long cell reports progress, and may keep a checkpoint.
  virtual void progressed(const workers::ProgressReport& /*report*/) {}
  /// The executor gets it next.
  virtual void starting(std::size_t /*index*/) {}
  /// The executor has given it back, with or without an outcome; the next may be started before the outcome is taken.
  virtual void executed(std::size_t /*index*/) {}
  virtual void finished(std::size_t index, data::PackedOutcome outcome) = 0;
  /// One that was planned as skipped, or whose plugin was quarantined: whatever an earlier run found still stands.
  virtual void not_performed(std::size_t index, data::Outcome outcome) = 0;
  /// Called once, when a stop was requested and so many cells are still running.
  virtual void stopping(int /*running*/) {}
};

struct EngineOptions {
  double memory_budget = 0;  ///< bytes for the cells in flight; one cell always runs
  bool fail_fast = false;    ///< start nothing more after the first cell that failed
  const std::atomic<bool>* stop =
      nullptr;  ///< set from outside (Ctrl-C): start nothing more; see CellExecutor::interrupt
  /// Cells beside which no other runs, since they are timed. Null: there are none.
  std::function<bool(const data::Cell& cell)> alone = nullptr;
};

/// Performs the cells of `plan` with these indices. Gives the outcome of each to `sink`, or, if stopped, of those that
/// were done. Cells that were planned as skipped are not started. The outcome of a cell does not depend on the executor
/// or on the order.
void perform_all(const study::Plan& plan, std::span<const std::size_t> indices, workers::CellExecutor& executor,
                 const EngineOptions& options, OutcomeSink& sink);

}  // namespace poslab::run
