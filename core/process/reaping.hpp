// SPDX-License-Identifier: Apache-2.0
// Looking whether a child has ended. What waitpid reports is not always an end: a child that lets itself be traced
// reports each of its stops to its parent, asked for or not.
#pragma once

#include <sys/types.h>

#include <optional>

namespace poslab::process {

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
