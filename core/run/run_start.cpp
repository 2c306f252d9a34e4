// SPDX-License-Identifier: Apache-2.0
#include "run_start.hpp"

#include <algorithm>

#include "poslab/journal/checkpoints.hpp"
#include "poslab/journal/resume_check.hpp"

namespace poslab::run {

RunStart start_of(const PreparedRun& run, const journal::Journal& journal, const RemainingCells& remaining) {
  const std::size_t planned = run.part.plan.cells.size();
  const auto checkpoints = journal::checkpoints_of(run.journal);
  const auto going_on =
      std::count_if(remaining.plan.cells.begin(), remaining.plan.cells.end(), [&](const data::Cell& cell) {
        const auto found = checkpoints.find(cell.id);
        return found != checkpoints.end() && found->second.maker == journal::maker_of(cell, run.catalogue);
      });
  RunStart start{.journal_notices = journal.notices(),
                 .unasked = journal::count_unasked(journal.known(), run.part.plan.cells),
                 .planned = planned,
                 .kept = planned - remaining.indices.size(),
                 .operations = remaining.operations,
                 .going_on = static_cast<std::size_t>(going_on)};
  for (const data::Estimate& estimate : remaining.plan.estimates) {
    if (estimate.why_unknown.empty()) continue;
    if (start.of_unknown_needs++ == 0) start.why_unknown = estimate.why_unknown;
  }
  return start;
}

bool wants_to_be_alone(const data::Cell& cell) {
  const data::Value* timed = cell.axes.find("timed");
  return timed && *timed != data::Value("nothing");
}

}  // namespace poslab::run
