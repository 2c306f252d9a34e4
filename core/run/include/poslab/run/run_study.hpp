// SPDX-License-Identifier: Apache-2.0
// Runs: from studies to their results files.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "poslab/data/answer_table.hpp"
#include "poslab/run/outcome_summary.hpp"
#include "poslab/run/prepare.hpp"
#include "poslab/run/run_listener.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::run {

/// Reads and plans them, all with the same `request` but for `study`, and hands what the request supplies to the
/// backend. Throws study::StudyErrors, base::FileError, base::Error for two of one output, and what Supply and
/// study::make_plan throw.
std::vector<PreparedRun> prepare_runs(const std::vector<std::string>& studies, const RunRequest& request,
                                      const data::Catalogue& catalogue, workers::Backend& backend);

struct RunResult {
  Ending ending = Ending::complete;
  OutcomeSummaries outcomes;
  std::vector<data::ExpectationResult> expectations;
  data::AnswerTable answers;
  std::vector<workers::QuarantinedPlugin> quarantined;
  double seconds = 0;
  std::string problem;  ///< why nothing was written, if `ending` says so
};

/// Performs what no earlier run has done, judges, and writes the results file. `stop`, set from outside, lets running
/// cells finish and starts no others. Throws what `journal::Journal` throws where it cannot be opened, and
/// base::Error if another program writes to the journal; of files that cannot be written the result tells.
RunResult run_study(const PreparedRun& run, workers::Backend& backend, RunListener& listener,
                    const std::atomic<bool>& stop);

}  // namespace poslab::run
