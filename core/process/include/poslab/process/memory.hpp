// SPDX-License-Identifier: Apache-2.0
// What a child and all that it has started take. Limits of the system hold for each process by itself, and leave out
// what several share.
#pragma once

#include <sys/types.h>

namespace poslab::process {

/// Bytes in memory, or swapped out, that no file backs: of this child, of what descends from it, and of orphans below
/// our children. What several of them share counts once if the sum is above `enough`, else it may count for each.
double memory_of_family(pid_t child, double enough);

}  // namespace poslab::process
