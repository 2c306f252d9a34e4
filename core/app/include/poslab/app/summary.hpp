// SPDX-License-Identifier: Apache-2.0
// The table that a run ends with: per experiment, schemes down, measures across, mean and standard error over repeats;
// then the expectations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::app {

/// What is shown of an outcome; its curves stay where they are.
struct Brief {
  base::Status status = base::Status::ok;
  std::string message;
  std::vector<double> last;  ///< of each measure of the experiment its last value, NaN if it has none; only if ok
};
Brief brief_of(const base::Outcome& outcome, const base::ExperimentInfo& info);

using Outcomes = std::vector<std::optional<Brief>>;

/// `width` in characters: a table that is wider continues below itself. Skipped cells are named with their sentences.
std::string summary(const spec::Plan& plan, const base::Catalogue& catalogue, const Outcomes& outcomes,
                    const std::vector<base::ExpectationResult>& expectations, std::size_t width);
/// "60 cells ok, 2 skipped, 0 failed in 12 s: a.h5"
std::string closing_line(const spec::Plan& plan, const Outcomes& outcomes, double seconds, const std::string& file);

}  // namespace poslab::app
