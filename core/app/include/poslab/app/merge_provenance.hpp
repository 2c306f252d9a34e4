// SPDX-License-Identifier: Apache-2.0
// Where a merged file comes from.
#pragma once

#include <string>
#include <vector>

#include "poslab/app/provenance.hpp"
#include "poslab/results/merge.hpp"

namespace poslab::app {

/// What the first shard says of the study and of its build, and what each says of the machine that it was made on.
/// Precondition: there is a shard.
results::Provenance merge_provenance(const std::vector<results::Merge::Source>& sources,
                                     const std::vector<std::string>& arguments, const Stopwatch& watch);
/// What the shards of one run need not have in common, but is worth a sentence: the commits of their builds, their
/// processors.
std::vector<std::string> mixture_notes(const std::vector<results::Merge::Source>& sources);

}  // namespace poslab::app
