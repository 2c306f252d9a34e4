// SPDX-License-Identifier: Apache-2.0
// Where a merged file comes from.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "poslab/data/plugin_check.hpp"
#include "poslab/results/merge.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/stopwatch.hpp"

namespace poslab::run {

/// What the first shard says of the study and of its build, and what each says of the machine that it was made on.
/// Precondition: there is a shard.
results::Provenance merge_provenance(const std::vector<results::Merge::Source>& sources,
                                     const std::vector<std::string>& arguments, const Stopwatch& watch);

/// What is known of each plugin, the worst that a shard says.
data::PluginChecks plugin_checks_of(const std::vector<results::Merge::Source>& sources);

/// What was given to the cells of all shards, each once, as `provenance/supply` has it; empty: nothing.
std::string supply_of(const std::vector<results::Merge::Source>& sources);

/// In what the shards of one run may differ. Worth a sentence wherever there is more than one.
struct Mixture {
  std::set<std::string> commits;     ///< of the builds that made them
  std::set<std::string> processors;  ///< on which their cells were performed
};
Mixture mixture_of(const std::vector<results::Merge::Source>& sources);

}  // namespace poslab::run
