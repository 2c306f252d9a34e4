// SPDX-License-Identifier: Apache-2.0
// The command line of `poslab run`.
#pragma once

#include <string>
#include <vector>

#include "poslab/run/run_request.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::app {

struct RunOptions {
  std::vector<std::string> studies;
  run::RunRequest request;
  workers::BackendOptions backend;
  std::vector<std::string> plugin_directories;
  bool plan_only = false, verbose = false, check_plugins = false;
};

/// Throws UsageError, HelpWanted, run::BadShard.
RunOptions run_options(const std::vector<std::string>& arguments);

}  // namespace poslab::app
