// SPDX-License-Identifier: Apache-2.0
// From a study file to a results file: read, plan, check, perform, write, sum up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poslab/app/commands.hpp"
#include "poslab/base/shard.hpp"
#include "poslab/host/library.hpp"
#include "poslab/run/workshop.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::app {

struct RunRequest {
  std::string study;
  std::string output;  ///< empty: ./<stem of the study>.h5
  spec::Overrides overrides;
  int threads = 1;    ///< that perform cells
  int workers = 1;    ///< processes that share them; 0: none, cells are performed in this process
  double memory = 0;  ///< bytes for cells
  bool plan_only = false, verbose = false, fail_fast = false, force = false, fresh = false;
  std::optional<base::Shard> shard;  ///< of the plan, the part to perform
  std::vector<std::string> command_line;
};

/// Performs the studies one after another, all with the same `request` but for `study`. All are read, planned and their
/// outputs looked at first: throws what is wrong with any of them before any work; from then on the exit code says what
/// became of it.
Exit run_studies(const std::vector<std::string>& studies, const RunRequest& request, const host::Library& library,
                 run::Workshop& workshop);

}  // namespace poslab::app
