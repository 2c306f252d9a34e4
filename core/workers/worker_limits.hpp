// SPDX-License-Identifier: Apache-2.0
// What the system lets a worker process take.
#pragma once

namespace poslab::workers {

/// Bytes that a worker may take for `memory` beside the stacks of so many threads; 0: no limit, as where a sanitizer's
/// own memory would count.
double most_memory(double memory, int threads);

/// For the calling process: no core dumps, no files, at most `memory` bytes of data (0: no limit) beside the stacks of
/// so many threads; and if the machine runs out of memory, this process is killed before others.
void limit_this_process(double memory, int threads);

}  // namespace poslab::workers
