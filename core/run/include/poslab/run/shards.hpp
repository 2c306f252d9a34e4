// SPDX-License-Identifier: Apache-2.0
// `--shard`: which part of a plan a machine performs, and where its results go.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/shard.hpp"
#include "poslab/study/plan.hpp"

namespace poslab::run {

/// A variable of the environment; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// `3/40`; `slurm`: the task of a Slurm job array that holds all shards, numbered from 0 or from 1; `slurm/40`: task 3
/// is shard 3 of 40, whichever part of the array was submitted, so that `--array=3,7` runs what is missing. Throws
/// base::Error.
data::Shard parse_shard(const std::string& option, const Environment& environment);

/// By the cell's identity alone: a study that grows keeps its old cells where they are.
bool belongs(const data::Shard& shard, const std::string& cell_id);

/// The cells of one shard, in plan order. Expectations stay with the whole plan: they are judged by the merge.
struct ShardPlan {
  study::Plan plan;
  std::vector<std::size_t> indices;  ///< of its cells in the whole plan; empty without a shard
  std::size_t whole = 0;             ///< cells in the whole plan
  std::string plan_hash;             ///< of all identities in order, and of which are skipped; empty without a shard
};
/// Without a shard: all of them.
ShardPlan cut(study::Plan whole, const std::optional<data::Shard>& shard);

/// For a part of the cells: nothing is judged, and the message says why.
std::vector<data::ExpectationResult> left_to_merge(const std::vector<data::Expectation>& expectations);

}  // namespace poslab::run
