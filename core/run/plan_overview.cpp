// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/plan_overview.hpp"

#include <algorithm>

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

}  // namespace

PlanShares shares_of(const study::Plan& plan, const std::vector<journal::CellState>& states) {
  PlanShares shares;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const data::Cell& cell = plan.cells[i];
    const bool kept = states[i] == journal::CellState::kept, skipped = !cell.skip.empty();
    for (PlanShare* share : {&share_of(cell.experiment, shares.experiments), &shares.all})
      count(*share, kept, skipped, plan.estimates[i]);
    if (skipped)
      ++shares.skipped[{cell.experiment, cell.variant.label, cell.skip}];
    else
      ++shares.states[states[i]];
  }
  return shares;
}

double guessed_seconds(double operations, int threads) { return operations / guessed_rate / threads; }

PlanOverview overview_of(const PreparedRun& run, const journal::JournalContent& content) {
  const study::Plan& plan = run.part.plan;
  const journal::ResumePlan resume(content.known, run.catalogue);
  PlanOverview overview{shares_of(plan, resume.of(plan.cells)), journal::count_unasked(content.known, plan.cells), {}};
  for (const data::Cell& cell : plan.cells)
    overview.reasons.push_back(cell.skip.empty() ? resume.sentence(cell) : "skipped, " + cell.skip);
  return overview;
}

}  // namespace poslab::run
