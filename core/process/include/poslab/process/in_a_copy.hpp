// SPDX-License-Identifier: Apache-2.0
// Work that would change or end this process, done in a copy of it.
#pragma once

#include <functional>

namespace poslab::process {

/// Forks, does `work` in the copy and waits until the copy has ended. A copy that ended otherwise than by returning
/// from `work` ends this process in the same way. Precondition: this process has one thread; a copy has no others.
/// Throws NoProcess.
void in_a_copy(const std::function<void()>& work);

}  // namespace poslab::process
