// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::app {

/// A signal ended the process of a command.
struct CommandEnded : base::Error {
  CommandEnded(const std::string& command, const std::string& culprit, int signal);
  std::string command, culprit;
  int signal;
};

/// A command that calls a plugin, or has HDF5 read what anybody may have written, in a child: what becomes of that
/// process is told, not suffered. `culprit`: what could end it. Returns the exit code. Throws CommandEnded,
/// process::NoProcess.
int contained(const std::vector<std::string>& arguments, const std::string& culprit);

}  // namespace poslab::app
