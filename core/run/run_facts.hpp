// SPDX-License-Identifier: Apache-2.0
// What a run says of itself: to its listener and in its journal when it starts, in its results file at its end.
#pragma once

#include <cstddef>
#include <vector>

#include "poslab/journal/journal.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/outcome_store.hpp"
#include "poslab/run/prepare.hpp"
#include "poslab/run/provenance.hpp"
#include "poslab/run/run_listener.hpp"

namespace poslab::run {

/// `remaining`: by index in the plan.
RunStart start_of(const PreparedRun& run, const journal::Journal& journal, const std::vector<std::size_t>& remaining);

/// By the axis `timed`, an experiment says which of its cells somebody wants to know the seconds of.
bool wants_to_be_alone(const data::Cell& cell);

/// `kept`: cells that earlier runs have done.
journal::JournalRun journal_run(const PreparedRun& run, std::size_t kept, const Stopwatch& watch);

/// Throws base::FileError.
void write_results(const PreparedRun& run, const OutcomeStore& outcomes, const results::Conclusions& conclusions,
                   const Stopwatch& watch);

}  // namespace poslab::run
