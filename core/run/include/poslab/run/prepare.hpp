// SPDX-License-Identifier: Apache-2.0
// From the request to a run that can begin: its study, its plan, its output. Everything that can be wrong with them is
// found here, before any work.
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

/// Reads and plans them, all with the same `request` but for `study`, and hands what the request supplies to the
/// backend. Throws study::StudyErrors, base::FileError, SameOutput, and what Supply and study::make_plan throw.
std::vector<PreparedRun> prepare_runs(const std::vector<std::string>& studies, const RunRequest& request,
                                      const data::Catalogue& catalogue, workers::Backend& backend);

/// One study, as whoever performs parts of it elsewhere will plan it. Throws as prepare_runs does.
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

}  // namespace poslab::run
