// SPDX-License-Identifier: Apache-2.0
// Runs with --only into one results file: what stays in it, and what a run leaves out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "poslab/run/prepare.hpp"

namespace poslab::run {

/// For how many cells the results file was planned, by its journal, if this run plans fewer, or other values of an axis
/// (--only AXIS=VALUE). The others stay in the journal, so it is no mistake; but whoever reads the file afterwards
/// misses them.
std::optional<std::size_t> larger_previous_plan(const PreparedRun& run);

/// The schemes or experiments that earlier runs with --only put into the results file of this study, beside those that
/// this one names: they stay there, and are planned with it. Empty where the file holds something else, all of the
/// study, or both other schemes and other experiments, or where values of an axis are asked for: then both together
/// would be more than anybody has asked for. Throws what study::read_study throws of this run's own words.
std::vector<std::string> earlier_only(const std::string& study, const study::Overrides& overrides,
                                      const std::string& output, const data::Catalogue& catalogue);

}  // namespace poslab::run
