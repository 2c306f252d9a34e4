// SPDX-License-Identifier: Apache-2.0
// A study that others will run in shards: what each of them would refuse is found here, once.
#pragma once

#include <cstddef>
#include <string>

#include "poslab/data/catalogue.hpp"
#include "poslab/run/run_request.hpp"
#include "poslab/study/study.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::run {

struct ShardedStudy {
  std::string study;   ///< path
  std::string output;  ///< of the merge
  int shards = 1;
  double memory = 0;  ///< bytes for the cells of a shard; 0: not known yet
  study::Overrides overrides;
  SupplyRequest supply = {};
};

/// How many cells there are to perform. Throws study::StudyErrors, CellTooLarge, OutputTaken, OutputUnreadable,
/// base::FileError.
std::size_t require_runnable(const ShardedStudy& asked, const data::Catalogue& catalogue, workers::Backend& backend);

}  // namespace poslab::run
