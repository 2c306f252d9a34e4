// SPDX-License-Identifier: Apache-2.0
// A plan in words: what `--plan` prints.
#pragma once

#include <string>

#include "poslab/journal/journal.hpp"
#include "poslab/run/prepare.hpp"

namespace poslab::app {

/// "shard 3/40: 25 of 1000 cells", or nothing
std::string shard_line(const run::PreparedRun& run);
/// What would run and what it needs, given what the journal has; with `verbose` a line for each cell.
std::string plan_text(const run::PreparedRun& run, const journal::JournalContent& content, bool verbose);
/// How many cells the journal has that are not asked for.
std::string unasked_text(std::size_t cells);

}  // namespace poslab::app
