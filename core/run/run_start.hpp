// SPDX-License-Identifier: Apache-2.0
// What is known of a run when its first cell starts, and which of its cells want to be alone.
#pragma once

#include "poslab/journal/journal.hpp"
#include "poslab/run/outcome_store.hpp"
#include "poslab/run/prepare.hpp"
#include "poslab/run/run_listener.hpp"

namespace poslab::run {

RunStart start_of(const PreparedRun& run, const journal::Journal& journal, const RemainingCells& remaining);

/// By the axis `timed`, an experiment says which of its cells somebody wants to know the seconds of.
bool wants_to_be_alone(const data::Cell& cell);

}  // namespace poslab::run
