// SPDX-License-Identifier: Apache-2.0
// A plan in words: what `--plan` prints.
#pragma once

#include <string>

#include "poslab/run/plan_overview.hpp"

namespace poslab::app {

/// "shard 3 of 40: 25 of 1000 cells", or nothing
std::string shard_line(const run::PreparedRun& run);
/// What would run and what it needs; with `verbose` a line for each cell.
std::string plan_text(const run::PreparedRun& run, const run::PlanOverview& overview, bool verbose);
/// How many cells the journal has that are not asked for.
std::string unasked_text(std::size_t cells);
/// Why the plan could not be run now.
std::string hindrance_text(const std::string& reason);

}  // namespace poslab::app
