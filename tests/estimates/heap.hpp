// SPDX-License-Identifier: Apache-2.0
// What this process has taken from the heap, by whatever way: operator new, arrays, Eigen, oneTBB, plugins.
#pragma once

#include <cstdint>

namespace heap {

/// Bytes that were asked for and not given back.
std::int64_t live();
/// The most of them since the last `watch`.
std::int64_t peak();
void watch();

}  // namespace heap
