// SPDX-License-Identifier: Apache-2.0
// The command line of `poslab verify`.
#pragma once

#include <string>
#include <vector>

#include "poslab/run/run_request.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::app {

struct VerifyOptions {
  std::vector<std::string> studies;  ///< given, or those that ship
  std::string folder;                ///< for the results files; empty: they are not kept
  run::RunRequest request;
  workers::BackendOptions backend;
  std::vector<std::string> plugin_directories;
};

/// Throws UsageError, HelpWanted, and base::FileError where the studies that ship are missing.
VerifyOptions verify_options(const std::vector<std::string>& arguments);

}  // namespace poslab::app
