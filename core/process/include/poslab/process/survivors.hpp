// SPDX-License-Identifier: Apache-2.0
// What lives on when a command is over, and nobody would hear of.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace poslab::process {

struct Survivor {
  pid_t process = 0;
  std::string command;  ///< its words
};

/// Processes that came to this one from below while it ran, and live: they have not ended though they were killed, or
/// this process had children before it ran this program, and nothing says whether they are one of those's or a
/// plugin's.
std::vector<Survivor> survivors();

}  // namespace poslab::process
