// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/plan_overview.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "poslab/journal/checkpoints.hpp"
#include "poslab/journal/resume_check.hpp"

namespace poslab::run {
namespace {

// Operations a second that one thread reached in the measures' inner loops on a 2023 server core.
constexpr double guessed_rate = 4e9;

PlanShare& share_of(const std::string& experiment, std::vector<PlanShare>& shares) {
  const auto share = std::find_if(shares.begin(), shares.end(),
                                  [&](const PlanShare& other) { return other.experiment == experiment; });
  if (share != shares.end()) return *share;
  shares.emplace_back().experiment = experiment;
  return shares.back();
}

void count(PlanShare& share, bool kept, bool skipped, const data::Estimate& estimate) {
  ++(kept ? share.kept : skipped ? share.skipped : share.to_run);
  if (kept) return;
  share.operations += estimate.operations;
  share.bytes = std::max(share.bytes, estimate.bytes);
}

using Checkpoints = std::unordered_map<std::string, journal::KnownCheckpoint>;

// To the reason that was added last.
void add_checkpoint(const journal::KnownCheckpoint& checkpoint, const data::Cell& cell,
                    const data::Catalogue& catalogue, PlanOverview& overview) {
  const bool goes_on = checkpoint.maker == journal::maker_of(cell, catalogue);
  overview.going_on += goes_on;
  overview.reasons.back() +=
      goes_on ? "; goes on from a checkpoint: " + checkpoint.progress.sentence
              : "; begins anew, though it has a checkpoint: that is of another program, plugin or type of processor";
}

}  // namespace

PlanShares shares_of(const study::Plan& plan, const std::vector<journal::CellState>& states) {
  PlanShares shares;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const data::Cell& cell = plan.cells[i];
    const bool kept = states[i] == journal::CellState::kept, skipped = cell.skip.has_value();
    for (PlanShare* share : {&share_of(cell.experiment, shares.experiments), &shares.all})
      count(*share, kept, skipped, plan.estimates[i]);
    if (skipped)
      ++shares.skipped[{cell.experiment, cell.variant.label, cell.skip->reason}];
    else
      ++shares.states[states[i]];
    if (const auto& why = plan.estimates[i].why_unknown; !kept && why)
      ++shares.of_unknown_needs[{cell.experiment, cell.variant.label, why->reason}];
  }
  return shares;
}

double guessed_seconds(double operations, int threads) { return operations / guessed_rate / threads; }

PlanOverview overview_of(const PreparedRun& run, const journal::JournalContent& content) {
  const study::Plan& plan = run.part.plan;
  const journal::ResumePlan resume(content.known, run.catalogue);
  const auto states = resume.of(plan.cells);
  PlanOverview overview{shares_of(plan, states), journal::count_unasked(content.known, plan.cells), 0, {}};
  const Checkpoints checkpoints = run.request.fresh ? Checkpoints{} : journal::checkpoints_of(run.journal);
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const data::Cell& cell = plan.cells[i];
    overview.reasons.push_back(cell.skip ? "skipped, " + cell.skip->reason : resume.sentence(cell, states[i]));
    if (cell.skip) continue;
    if (const auto found = checkpoints.find(cell.id); found != checkpoints.end())
      if (states[i] != journal::CellState::kept) add_checkpoint(found->second, cell, run.catalogue, overview);
  }
  return overview;
}

}  // namespace poslab::run
