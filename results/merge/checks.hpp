// SPDX-License-Identifier: Apache-2.0
// Whether the files of shards belong together.
#pragma once

#include <memory>
#include <vector>

#include "merge/shard_file.hpp"
#include "poslab/results/merge.hpp"

namespace poslab::results {

using ShardFiles = std::vector<std::unique_ptr<ShardFile>>;
using MergeProblems = std::vector<MergeProblem>;

/// "uniqueness of rope, length 8, repeat 2"
std::string label(const data::Cell& cell);

/// The files that are shards, in the order given.
ShardFiles open_shards(const std::vector<std::string>& files, MergeProblems& problems);
/// Removes what is of another run than most: another study, number of shards, version, plan, plugin.
void keep_one_run(ShardFiles& files, bool mixed_plugins, MergeProblems& problems);
/// Shards that no file holds; `names` are the files that were given, those that cannot be read among them.
void require_all_shards(const ShardFiles& files, const std::vector<std::string>& names, MergeProblems& problems);
/// Reads every record once; closes every file.
void require_whole_records(const ShardFiles& files, MergeProblems& problems);

}  // namespace poslab::results
