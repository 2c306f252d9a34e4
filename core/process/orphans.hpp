// SPDX-License-Identifier: Apache-2.0
// Which children of this process are ours, and what becomes of the others: processes that a child of ours has started,
// perhaps in a session of their own where no signal to its group finds them, and left. The system gives them to us.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <vector>

namespace poslab::process {

using Deadline = std::chrono::steady_clock::time_point;

/// Calls `start`, which returns the id of a new child: ours from its first moment. With `adopts`, orphans below it come
/// to us, unless this process has children from before it ran this program (`job & exec poslab`): their orphans are not
/// ours to kill, and could not be told apart.
pid_t start_of_ours(const std::function<pid_t()>& start, bool adopts);

/// To be called once its status was taken.
void forget(pid_t child);

/// Kills every child that is neither ours nor from before, and what it leaves in turn. Returns those that have not
/// ended at the deadline; they are not looked at again.
std::vector<pid_t> kill_orphans(Deadline deadline);

}  // namespace poslab::process
