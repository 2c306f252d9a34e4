// SPDX-License-Identifier: Apache-2.0
// What the system says of our children, and which of all its children are ours: processes that a child of ours has
// started, perhaps in a session of their own where no signal to its group finds them, and left, are given to us. A
// process that had children before it ran this program (`job & exec poslab`) gets their orphans, too. What our children
// start has a mark in its environment, so that an orphan without it is told and left alone there.
// What waitpid reports is not always an end: a child that lets itself be traced reports each of its stops to its
// parent, asked for or not.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace poslab::process {

using Deadline = std::chrono::steady_clock::time_point;

/// In the environment of all that a child of ours starts, unless that is taken out on purpose.
inline constexpr const char* mark_of_ours = "POSLAB_STARTED_THIS=1";

/// Calls `start`, which returns the id of a new child: ours from its first moment. With `adopts`, orphans below it come
/// to us.
pid_t start_of_ours(const std::function<pid_t()>& start, bool adopts);

/// The same for a process that may be no program of ours: libposlab.so is in one. Nothing of it is changed.
pid_t start_beside(const std::function<pid_t()>& start);

/// To be called once its status was taken.
void forget(pid_t child);

/// Orphans below our children: every child that is neither ours nor from before, nor perhaps of one from before.
std::vector<pid_t> orphans();

/// Kills these, and what they leave in turn. Returns those that have not ended at the deadline; they are not looked at
/// again.
std::vector<pid_t> kill_orphans(Deadline deadline);

/// Whether this child of ours has ended, or is no child of ours any more. Its status is not taken, so its number
/// belongs to no other process yet. Never waits.
bool is_at_its_end(pid_t child);

/// Whether a signal has stopped this child of ours, and none has let it go on; being traced is no such stop.
bool is_stopped(pid_t child);

/// The status, as of waitpid, of a child that is at its end; nothing if somebody else has taken it.
std::optional<int> take_status(pid_t child);

/// Takes the status of threads of `child` that are traced by us and have ended: a process ends after its last thread,
/// and such a thread only when its tracer has seen its end.
void release_traced_threads(pid_t child);

}  // namespace poslab::process
