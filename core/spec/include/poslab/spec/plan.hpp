// SPDX-License-Identifier: Apache-2.0
// Study -> Plan: every cell, in order, with its identity; those that cannot be served are planned as skipped.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::spec {

/// What the host and the experiments say of a point before anything runs.
struct Forecast {
  std::string skip;  ///< not empty: why this cell cannot be served
  bool draws_weights = false;
  base::Estimate estimate;
};
/// One forecast per cell. Asked once, for all cells that the study does not skip itself, without their repeats: they may be
/// made in another process.
using Forecaster = std::function<std::vector<Forecast>(const std::vector<const base::Cell*>& cells)>;

struct Plan {
  std::vector<base::Cell> cells;          ///< plan order: experiment, scheme, variant, axes, repeat
  std::vector<base::Estimate> estimates;  ///< one per cell
  std::vector<base::Expectation> expectations;
};

/// Crosses variants, axes and repeats. Repeats default to 10 where the experiment draws contents or the variant draws
/// weights, else 1. A study's `skip` gives its reason; the forecaster's refusals give theirs; skipped cells keep one repeat.
/// Throws StudyErrors: zero cells, an expectation that matches no cell, the same cell twice is kept once.
Plan make_plan(const Study& study, const base::Catalogue& catalogue, const Forecaster& forecast);

/// Whether `cell` meets an expectation's `where` (names of inner dimensions are not looked at).
bool matches(const base::Values& where, const base::Cell& cell);

}  // namespace poslab::spec
