// SPDX-License-Identifier: Apache-2.0
// The table that a run ends with: per experiment, schemes down, measures across, mean and standard error over repeats;
// then the expectations.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/run/outcome_summary.hpp"

namespace poslab::app {

/// `width` in characters: a table that is wider continues below itself. Skipped cells are named with their sentences.
std::string summary(const std::vector<data::Cell>& cells, const data::Catalogue& catalogue,
                    const run::OutcomeSummaries& outcomes, const std::vector<data::ExpectationResult>& expectations,
                    std::size_t width);
/// "60 cells ok, 2 skipped, 0 failed in 12 s: a.h5"
std::string closing_line(const run::OutcomeSummaries& outcomes, double seconds, const std::string& file);

}  // namespace poslab::app
