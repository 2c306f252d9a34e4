// SPDX-License-Identifier: Apache-2.0
// A study and what a run needs of it: read, planned, with its part of the plan, its files and what it is handed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/run/output.hpp"
#include "poslab/run/run_request.hpp"
#include "poslab/run/shards.hpp"
#include "poslab/run/supply.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::run {

struct PlannedStudy {
  study::Study study;
  study::Plan plan;
  data::Catalogue catalogue;  ///< with the mixed schemes of the study
};

struct PreparedRun {
  RunRequest request;  ///< of this study
  data::Catalogue catalogue;
  study::Study study;
  ShardPlan part;
  std::string output;
  std::filesystem::path journal;
  std::shared_ptr<const Supply> supply;  ///< the same for all runs of a command
  std::vector<std::string> staying =
      {};                              ///< schemes or experiments of earlier runs with --only, which stay in the file
  std::optional<FileMark> found = {};  ///< at `output`, before anything was decided by what is there
};

/// What --data, --weights and --network gave, in the hands of whoever performs cells.
std::shared_ptr<const Supply> supply_of(const SupplyRequest& request, workers::Backend& backend);

/// Throws study::StudyErrors, base::FileError, and what study::make_plan throws.
PlannedStudy plan_study(const std::string& study, const study::Overrides& overrides, const data::Catalogue& catalogue,
                        workers::Backend& backend, const Supply& supply);

/// The plugins of which the runs have cells, in order of id.
std::vector<data::SchemeInfo> schemes_of(const std::vector<PreparedRun>& runs);

}  // namespace poslab::run
