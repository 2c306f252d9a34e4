// SPDX-License-Identifier: Apache-2.0
// All measures: for each experiment schemes down, measures across, mean and standard error over repeats.
#pragma once

#include <string>
#include <vector>

#include "poslab/app/text/conclusions.hpp"

namespace poslab::app {

/// `width` in characters: a table that is wider continues below itself. Skipped cells are named with their sentences.
std::string details_text(const Conclusions& run, const std::vector<std::string>& experiments, std::size_t width);

}  // namespace poslab::app
