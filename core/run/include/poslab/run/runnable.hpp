// SPDX-License-Identifier: Apache-2.0
// Whether a run can be performed and its results written: found before any work.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/run/prepare.hpp"

namespace poslab::run {

/// The cell among these indices that is estimated to need most memory, if that is more than `bytes`.
std::optional<std::size_t> largest_above(const study::Plan& plan, std::span<const std::size_t> indices, double bytes);
/// Throws base::Error for that cell.
void require_memory(const study::Plan& plan, std::span<const std::size_t> indices, double bytes);

/// Throws base::Error for two studies that would write the same file.
void require_own_outputs(const std::vector<PreparedRun>& runs);

/// Throws base::Error for a cell that needs too much memory, or if the results cannot be written where they belong:
/// base::FileError also for a name so long that what a run keeps beside its results would have none.
void require_runnable(const PreparedRun& run);
/// What that throws, in words.
std::optional<base::Refusal> why_not_runnable(const PreparedRun& run);

/// A study that others will run in shards: what each of them would refuse is found here, once.
struct ShardedStudy {
  std::string study;   ///< path
  std::string copy;    ///< path of the copy that the shards read
  std::string output;  ///< of the merge
  int shards = 1;
  double memory = 0;  ///< bytes for the cells of a shard; 0: not known yet
  study::Overrides overrides;
  SupplyRequest supply = {};
};

/// How many cells there are to perform. Throws study::StudyErrors, base::Error for a cell that needs too much memory,
/// OutputTaken, OutputUnreadable, base::FileError.
std::size_t require_runnable(const ShardedStudy& asked, const data::Catalogue& catalogue, workers::Backend& backend);

}  // namespace poslab::run
