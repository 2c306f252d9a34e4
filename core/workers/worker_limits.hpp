// SPDX-License-Identifier: Apache-2.0
// What the system lets a worker process take.
#pragma once

namespace poslab::workers {

/// For the calling process: no core dumps, no files, at most `memory` bytes of data (0: no limit) beside the stacks of
/// so many threads; and if the machine runs out of memory, this process is killed before others.
void limit_this_process(double memory, int threads);

}  // namespace poslab::workers
