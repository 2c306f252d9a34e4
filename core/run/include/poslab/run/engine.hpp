// SPDX-License-Identifier: Apache-2.0
// Hands a plan's cells to an executor: expensive ones first, as many at a time as it has places for and memory allows.
#pragma once

#include <atomic>
#include <cstddef>

#include "poslab/base/cell.hpp"
#include "poslab/run/workshop.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::run {

/// Where finished cells go; on the thread that called perform_all.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void finished(std::size_t index, base::Outcome outcome) = 0;
  /// One that was planned as skipped, or whose plugin was set aside: whatever an earlier run found still stands.
  virtual void not_performed(std::size_t index, base::Outcome outcome) = 0;
  /// Told once, when a stop was asked for and so many cells are still in hand.
  virtual void stopping(int in_hand) { static_cast<void>(in_hand); }
};

struct EngineOptions {
  double memory_budget = 0;                 ///< bytes for the cells in flight; one cell always runs
  bool fail_fast = false;                   ///< start nothing more after the first cell that failed
  const std::atomic<bool>* stop = nullptr;  ///< set from outside (Ctrl-C): start nothing more, finish what is in flight
};

/// Gives every cell's outcome to `sink`, or, if stopped, those of the cells that were done. Cells that were planned as
/// skipped are not handed out. What a cell gives does not depend on the executor or on the order.
void perform_all(const spec::Plan& plan, Executor& executor, const EngineOptions& options, RecordSink& sink);

}  // namespace poslab::run
