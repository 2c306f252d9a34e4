// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "poslab/app/commands.hpp"
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

/// A command that calls a plugin, or has HDF5 read what anybody may have written, in a child: what becomes of that
/// process is told, not suffered. Returns the exit code. Throws CommandEnded, CommandTimedOut, process::NoProcess.
int contained(const std::vector<std::string>& arguments, const Command& command);

}  // namespace poslab::app
