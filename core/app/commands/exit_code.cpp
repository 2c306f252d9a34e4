// SPDX-License-Identifier: Apache-2.0
#include "commands/exit_code.hpp"

#include <algorithm>

namespace poslab::app {

Exit exit_code(base::Error::Kind kind) {
  switch (kind) {
    case base::Error::Kind::disk:
    case base::Error::Kind::resources: return unfinished;
    case base::Error::Kind::busy: return busy;
    case base::Error::Kind::internal:
    case base::Error::Kind::argument:
    case base::Error::Kind::request:
    case base::Error::Kind::file:
    case base::Error::Kind::damaged:
    case base::Error::Kind::plugin:
    case base::Error::Kind::numeric: break;
  }
  return wrong_input;
}

Exit exit_code(run::Ending ending) {
  switch (ending) {
    case run::Ending::complete: return all_well;
    case run::Ending::expectation_failed: return expectation_failed;
    case run::Ending::cells_failed: return cells_failed;
    case run::Ending::interrupted: return interrupted;
    case run::Ending::stopped_at_failure:
    case run::Ending::not_written: return unfinished;
  }
  return wrong_input;
}

void Series::add(run::Ending ending, bool any_left, bool stopped) {
  exit = std::max(exit, exit_code(ending));
  if (any_left && stopped) exit = interrupted;
  if (any_left && fail_fast && exit == cells_failed) exit = unfinished;
  goes_on = exit != interrupted && exit != unfinished;
}

void Series::fail(base::Error::Kind kind) {
  exit = exit_code(kind);
  goes_on = false;
}

Exit exit_code(const std::vector<run::PartitionStatus>& all) {
  if (std::any_of(all.begin(), all.end(), [](const run::PartitionStatus& one) { return !one.unreadable.empty(); }))
    return wrong_input;
  const run::CellCounts sum = run::counts_of(all);
  if (!sum.complete) return unfinished;
  return sum.failed + sum.crashed + sum.timeout > 0 ? cells_failed : all_well;
}

}  // namespace poslab::app
