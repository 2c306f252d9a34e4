// SPDX-License-Identifier: Apache-2.0
// Which children of this process are ours, and what becomes of the others: processes that a child of ours has started,
// perhaps in a session of their own where no signal to its group finds them, and left. The system gives them to us. A
// process that had children before it ran this program (`job & exec poslab`) gets their orphans, too. What our children
// start has a mark in its environment, so that an orphan without it is told and left alone there.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <vector>

namespace poslab::process {

using Deadline = std::chrono::steady_clock::time_point;

/// In the environment of all that a child of ours starts, unless that is taken out on purpose.
inline constexpr const char* mark_of_ours = "POSLAB_STARTED_THIS=1";

/// Calls `start`, which returns the id of a new child: ours from its first moment. With `adopts`, orphans below it come
/// to us.
pid_t start_of_ours(const std::function<pid_t()>& start, bool adopts);

/// To be called once its status was taken.
void forget(pid_t child);

/// Orphans below our children: every child that is neither ours nor from before, nor perhaps of one from before.
std::vector<pid_t> orphans();

/// Kills these, and what they leave in turn. Returns those that have not ended at the deadline; they are not looked at
/// again.
std::vector<pid_t> kill_orphans(Deadline deadline);

}  // namespace poslab::process
