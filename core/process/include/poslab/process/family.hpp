// SPDX-License-Identifier: Apache-2.0
// All that our children have started.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace poslab::process {

enum class Orphans { left_out, counted };

/// Bytes in memory, or swapped out, that no file backs: of this child, of what descends from it, and, counted, of
/// orphans below our children, whichever of these they are from. What several of them share counts once if the sum is
/// above `enough`, else it may count for each.
double memory_of_family(pid_t child, Orphans below, double enough);

struct Survivor {
  pid_t process = 0;
  std::string command;  ///< its words
};

/// Processes that came to this one from below while it ran, and live: they have not ended though they were killed, or
/// this process had children before it ran this program, and nothing says whether they are one of those's or a
/// plugin's.
std::vector<Survivor> survivors();

}  // namespace poslab::process
