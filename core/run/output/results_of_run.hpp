// SPDX-License-Identifier: Apache-2.0
// What a run says of itself: in its journal when it starts, in its results file at its end.
#pragma once

#include <vector>

#include "poslab/journal/journal.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/outcome_store.hpp"
#include "poslab/run/prepare.hpp"
#include "poslab/run/provenance.hpp"

namespace poslab::run {

journal::JournalRun journal_run(const PreparedRun& run, const RemainingCells& remaining);

/// Throws base::FileError.
void write_results(const PreparedRun& run, const OutcomeStore& outcomes, const results::Conclusions& conclusions,
                   const Stopwatch& watch);

}  // namespace poslab::run
