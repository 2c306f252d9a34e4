// SPDX-License-Identifier: Apache-2.0
// What a run is of, and where it goes: everything that can be wrong with it is found here, before any work.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/app/study_run.hpp"
#include "poslab/base/catalogue.hpp"
#include "poslab/run/shards.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::app {

struct StudyJob {
  RunRequest request;  ///< of this study
  base::Catalogue catalogue;
  spec::Study study;
  run::ShardPlan part;
  std::string output;
  std::filesystem::path journal;
};

/// Reads and plans them. Throws what is wrong with any, and if two of them would write one file.
std::vector<StudyJob> jobs_of(const std::vector<std::string>& studies, const RunRequest& request,
                              const host::Library& library, run::Workshop& workshop);

/// What `--plan` prints.
std::string shard_line(const StudyJob& job);  ///< "shard 3/40: 25 of 1000 cells", or nothing
std::string plan_in_words(const StudyJob& job);

/// Throws if a cell needs too much memory, or if its results cannot go where they are to go.
void require_runnable(const StudyJob& job);

}  // namespace poslab::app
