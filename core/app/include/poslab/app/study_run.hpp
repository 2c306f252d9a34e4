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

/// Throws what is wrong with the input, before any work; from then on the exit code says what became of it.
Exit run_study(const RunRequest& request, const host::Library& library, run::Workshop& workshop);

}  // namespace poslab::app
