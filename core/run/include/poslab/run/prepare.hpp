// SPDX-License-Identifier: Apache-2.0
// A run that can begin: its study, its plan, its output; and what can be wrong with them, which is found before any
// work.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/run/run_request.hpp"
#include "poslab/run/shards.hpp"
#include "poslab/run/supply.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::run {

struct PlannedStudy {
  study::Study study;
  study::Plan plan;
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
      {};  ///< schemes or experiments of earlier runs with --only, which stay in the file
};

/// A cell that is estimated to need more memory than cells may take.
struct CellTooLarge : base::Error {
  CellTooLarge(const data::Cell& cell, double needed, double allowed);
  std::string experiment, variant;
  double needed, allowed;  ///< bytes
};

/// Two studies of one command that would write the same file.
struct SameOutput : base::Error {
  SameOutput(const std::string& first, const std::string& second, const std::string& output);
  std::string first, second;  ///< studies
  std::string output;
};

/// What --data and --weights gave, in the hands of whoever performs cells.
std::shared_ptr<const Supply> supply_of(const SupplyRequest& request, workers::Backend& backend);

/// Throws study::StudyErrors, base::FileError, and what study::make_plan throws.
PlannedStudy plan_study(const std::string& study, const study::Overrides& overrides, const data::Catalogue& catalogue,
                        workers::Backend& backend, const Supply& supply);

/// Throws SameOutput.
void require_own_outputs(const std::vector<PreparedRun>& runs);

/// One study, as whoever performs parts of it elsewhere will plan it. Throws as plan_study does, and what Supply
/// throws.
PlannedStudy plan_whole(const std::string& study, const study::Overrides& overrides, const SupplyRequest& request,
                        const data::Catalogue& catalogue, workers::Backend& backend);

/// The schemes of which the runs have cells, in order of id.
std::vector<data::SchemeInfo> schemes_of(const std::vector<PreparedRun>& runs);

/// The cell that is estimated to need most memory, if that is more than `bytes`; by its index.
std::optional<std::size_t> largest_above(const study::Plan& plan, double bytes);
/// Throws CellTooLarge for that cell.
void require_memory(const study::Plan& plan, double bytes);

/// Throws CellTooLarge, or base::FileError if the results cannot be written where they belong.
void require_runnable(const PreparedRun& run);
/// What that throws, in words; empty: nothing.
std::string hindrance_of(const PreparedRun& run);

}  // namespace poslab::run
