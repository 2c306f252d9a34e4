// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "options/shared_options.hpp"
#include "poslab/base/error.hpp"
#include "poslab/process/child.hpp"

namespace poslab::app {

/// A signal ended the process of a command.
struct CommandEnded : base::Error {
  CommandEnded(const std::string& command, const std::string& suspect, const process::Ended& ended);
  std::string command, suspect;
  int signal;
};

/// It did not come back in time.
struct CommandTimedOut : base::Error {
  CommandTimedOut(const std::string& command, const std::string& suspect, double time_limit,
                  const process::Ended& ended);
  std::string command, suspect;
  double time_limit;  ///< seconds
};

/// The command of these `arguments`, its name first, in a child. Returns the exit code. Throws CommandEnded,
/// CommandTimedOut, process::NoProcess.
int contained(const std::vector<std::string>& arguments, const ContainedOptions& options);

}  // namespace poslab::app
