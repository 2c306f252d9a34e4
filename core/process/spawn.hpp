// SPDX-License-Identifier: Apache-2.0
// Starting this program once more.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace poslab::process {

/// Starts this program with `arguments`, stdin empty, the three descriptors as 3, 1 and 2, in a process group of its own, so
/// that all of it can be killed. The descriptors must be 10 or more. Throws base::Error.
pid_t spawn_self(const std::vector<std::string>& arguments, int connection, int output, int complaint);

/// The same, with our own stdin, stdout and stderr, and in our process group.
pid_t spawn_in_place(const std::vector<std::string>& arguments);

/// The same descriptor at 10 or above, close-on-exec.
int moved_up(int descriptor);

}  // namespace poslab::process
