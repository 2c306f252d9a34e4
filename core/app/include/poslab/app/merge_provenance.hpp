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
/// One version may be built from many commits: a sentence if the shards are of several, else empty.
std::string builds_note(const std::vector<results::Merge::Source>& sources);

}  // namespace poslab::app
