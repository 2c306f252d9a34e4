// SPDX-License-Identifier: Apache-2.0
// Measures over one dimension on a terminal: a row of blocks for each variant, or numbers where there are few.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "poslab/results/stored_run.hpp"

namespace poslab::app {

/// Blocks of eight heights, one for each of `columns` equal parts of the values: the mean of those in it that are
/// numbers, from `low` to `high`; a space where none is.
std::string sparkline(std::span<const double> values, double low, double high, std::size_t columns);

/// For each experiment and name its curves, means over repeats, with what varies between the rows beside the variant;
/// on one scale, or where that would flatten most of them, each on its own. Throws base::Error for a name that no
/// experiment of the run measures over one dimension.
std::string curves_text(const results::StoredRun& run, const std::vector<std::string>& names, std::size_t width);

}  // namespace poslab::app
