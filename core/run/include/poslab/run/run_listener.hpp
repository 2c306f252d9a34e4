// SPDX-License-Identifier: Apache-2.0
// Who is told what goes on during a run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/data/checkpoint.hpp"
#include "poslab/run/outcome_summary.hpp"

namespace poslab::run {

/// What is known when the first cell starts.
struct RunStart {
  std::vector<std::string> journal_notices = {};  ///< what was wrong with the journal, and what became of it
  std::size_t unasked = 0;                        ///< cells that the journal has and this plan does not ask for
  std::size_t planned = 0, kept = 0;              ///< cells; `kept`: done by an earlier run
  double operations = 0;                          ///< estimated for the cells that are left
  std::size_t going_on = 0;                       ///< of the cells that are left, those that go on from a checkpoint
  std::size_t of_unknown_needs = 0;               ///< of the cells that are left, those that could not be forecast
  std::string why_unknown = {};                   ///< of the first of these
};

class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void started(const RunStart& start) = 0;
  /// A cell is given to the backend.
  virtual void starting(const data::Cell& /*cell*/) {}
  /// A cell that is performed reports progress. `operations` as estimated for the whole of it.
  virtual void progressed(const data::Cell& /*cell*/, const data::Progress& /*progress*/, double /*operations*/) {}
  /// The backend is done with a cell, whose outcome is not on disk yet.
  virtual void executed(const data::Cell& /*cell*/) {}
  /// A cell is done and its outcome is on disk. `operations` as estimated. From any thread, one call at a time.
  virtual void finished(const data::Cell& cell, const OutcomeSummary& outcome, double operations) = 0;
  /// A stop was asked for while this many cells are running: no further ones start.
  virtual void stopping(int running) = 0;
  /// No cell runs any more; the results file is written next.
  virtual void performed() = 0;
};

}  // namespace poslab::run
