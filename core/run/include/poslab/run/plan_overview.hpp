// SPDX-License-Identifier: Apache-2.0
// What a run would do and what that needs, given what its journal has.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "poslab/journal/journal.hpp"
#include "poslab/journal/resume_plan.hpp"
#include "poslab/run/prepare.hpp"

namespace poslab::run {

/// The cells of a plan that are of one experiment, or all.
struct PlanShare {
  std::string experiment;  ///< empty: all
  std::size_t to_run = 0, kept = 0, skipped = 0;
  double operations = 0;  ///< estimated for what is not kept
  double bytes = 0;       ///< of the largest cell that is not kept
};

/// Why some cells are skipped, or why nobody can say what they need.
struct CellsWithReason {
  std::string experiment, variant, reason;
  auto operator<=>(const CellsWithReason&) const = default;
};

struct PlanShares {
  std::vector<PlanShare> experiments;  ///< in the plan's order
  PlanShare all;
  std::map<journal::CellState, std::size_t> states;                  ///< how many cells, of those that are not skipped
  std::map<CellsWithReason, std::size_t> skipped, of_unknown_needs;  ///< of the latter those that are not kept
};
/// `states` has one for each cell of the plan.
PlanShares shares_of(const study::Plan& plan, const std::vector<journal::CellState>& states);

/// A guess: how long this many threads take for that many operations.
double guessed_seconds(double operations, int threads);

struct PlanOverview {
  PlanShares shares;
  std::size_t unasked = 0;           ///< cells that the journal has and the plan does not ask for
  std::size_t going_on = 0;          ///< cells that go on from a checkpoint
  std::vector<std::string> reasons;  ///< for each cell of the plan, why it would run or is not run
};
PlanOverview overview_of(const PreparedRun& run, const journal::JournalContent& content);

}  // namespace poslab::run
