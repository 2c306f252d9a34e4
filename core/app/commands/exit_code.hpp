// SPDX-License-Identifier: Apache-2.0
// Exit codes of the whole program.
#pragma once

#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/run/outcome_summary.hpp"
#include "poslab/run/run_status.hpp"

namespace poslab::app {

enum Exit : int {
  all_well = 0,
  expectation_failed = 1,  ///< or `compare` found a difference
  wrong_input = 2,         ///< the study, an option or a file is wrong; nothing ran
  cells_failed = 3,        ///< the results file is complete and says which
  /// What is done is safe, the same command goes on: a disk that is full or failing; --fail-fast; `status` found cells
  /// left.
  unfinished = 4,
  busy = 75,  ///< another process is writing this file: the same again later (EX_TEMPFAIL)
  interrupted = 130
};

/// What a command ends with that throws an error of this kind.
Exit exit_code(base::Error::Kind kind);
Exit exit_code(run::Ending ending);

/// How a series of studies ends that run one after another.
struct Series {
  bool fail_fast = false;
  Exit exit = all_well;  ///< of all that ended
  bool goes_on = true;   ///< false: studies that are left are not begun

  /// One more has ended. `any_left`: studies after it; `stopped`: somebody has asked for the end meanwhile.
  void add(run::Ending ending, bool any_left, bool stopped);
  /// One could not be performed: an error of this kind.
  void fail(base::Error::Kind kind);
};

/// What `status` ends with.
Exit exit_code(const std::vector<run::PartitionStatus>& all);

}  // namespace poslab::app
