// SPDX-License-Identifier: Apache-2.0
// Performs a plan's cells in parallel: expensive ones first, as many at a time as threads and memory allow, TBB over the
// cells and inside the large ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include "poslab/base/cell.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::run {

/// Where finished cells go, from any thread but never from two at once.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void started(std::size_t /*index*/) {}
  virtual void finished(std::size_t index, base::Outcome outcome) = 0;
};

struct EngineOptions {
  int threads = 1;
  double memory_budget = 0;                 ///< bytes for the cells in flight; one cell always runs
  bool fail_fast = false;                   ///< start nothing more after the first cell that failed
  const std::atomic<bool>* stop = nullptr;  ///< set from outside (Ctrl-C): start nothing more, finish what is in flight
};

using Performer = std::function<base::Outcome(const base::Cell&)>;

/// Gives every cell's outcome to `sink`, or, if stopped, those of the cells that were done. What a cell gives does not
/// depend on threads or order.
void perform_all(const spec::Plan& plan, const Performer& perform, const EngineOptions& options, RecordSink& sink);

}  // namespace poslab::run
