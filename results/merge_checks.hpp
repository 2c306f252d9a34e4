// SPDX-License-Identifier: Apache-2.0
// Whether the files of shards belong together.
#pragma once

#include <memory>
#include <vector>

#include "poslab/results/merge.hpp"
#include "shard_file.hpp"

namespace poslab::results {

using ShardFiles = std::vector<std::unique_ptr<ShardFile>>;
using MergeProblems = std::vector<MergeProblem>;

/// "uniqueness of rope, length 8, repeat 2"
std::string label(const base::Cell& cell);
/// How to run a shard, from what another one says of itself.
std::string command_for(const ShardFile& like, const base::Shard& shard);

/// The files that are shards, in the order given.
ShardFiles open_shards(const std::vector<std::string>& files, MergeProblems& problems);
/// Takes away what is of another run than most: another study, number of shards, version, plan, plugin.
void keep_one_run(ShardFiles& files, bool mixed_plugins, MergeProblems& problems);
/// Shards that no file holds; `names` are the files that were given, those that cannot be read among them.
void require_all_shards(const ShardFiles& files, const std::vector<std::string>& names, MergeProblems& problems);
/// Reads every record once; rests every file.
void require_whole_records(const ShardFiles& files, MergeProblems& problems);

}  // namespace poslab::results
