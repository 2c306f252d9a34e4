// SPDX-License-Identifier: Apache-2.0
// What a run, a merge and `poslab summary` end with.
#pragma once

#include <cstddef>
#include <string>

#include "poslab/app/text/conclusions.hpp"
#include "poslab/app/text/styled_text.hpp"

namespace poslab::app {

struct SummaryStyle {
  std::size_t width = 80;  ///< characters in a line
  bool verbose = false;    ///< every measure and every expectation as well
};

/// The table of answers; all measures of the experiments that give none; what failed; expectations; what to do next.
StyledText summary(const Conclusions& run, const SummaryStyle& style);
/// What failed, by experiment, scheme and reason; empty if nothing did.
StyledText failures_text(const Conclusions& run);
/// "60 cells ok, 2 skipped, 0 failed in 12 s: a.h5"
std::string closing_line(const run::OutcomeSummaries& outcomes, double seconds, const std::string& file);
/// "60 cells ok, 2 skipped, 3 of 65 not run"
std::string count_line(const run::OutcomeSummaries& outcomes, std::size_t planned);
/// For standard output as it is.
SummaryStyle summary_style(bool verbose);

}  // namespace poslab::app
