// SPDX-License-Identifier: Apache-2.0
// How many random small cases a test looks at.
#pragma once

namespace check {

/// A tenth under sanitizers: those look at memory, of which a hundred cases show as much, and take ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int thousand = 100;
#else
inline constexpr int thousand = 1000;
#endif

}  // namespace check
