// SPDX-License-Identifier: Apache-2.0
// Starts this program again as a child.
#pragma once

#include <string>
#include <vector>

#include "child_process.hpp"

namespace poslab::process {

/// Starts this program with `arguments`, stdin empty, the three descriptors as 3, 1 and 2, in a process group of its
/// own, so that it can be killed together with its children. The descriptors must be 10 or higher. Throws NoProcess.
ChildProcess spawn_self(const std::vector<std::string>& arguments, int connection, int output, int complaint);

/// Starts this program with our own stdin, stdout and stderr, in our process group. Throws NoProcess.
ChildProcess spawn_in_place(const std::vector<std::string>& arguments);

/// Duplicates the descriptor at 10 or higher, close-on-exec, and closes the original. Throws NoProcess.
int moved_up(int descriptor);

}  // namespace poslab::process
