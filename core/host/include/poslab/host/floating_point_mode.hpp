// SPDX-License-Identifier: Apache-2.0
// What code can change of a process or a thread so that other code computes otherwise or fails.
#pragma once

#include <cfenv>
#include <string>

namespace poslab::host {

struct FloatingPointMode {
  int rounding = FE_TONEAREST;  ///< as fegetround
  int traps = 0;                ///< as fegetexcept
  unsigned vector = 0;          ///< MXCSR without the flags of what has happened; 0 on processors that have none

  /// The calling thread's.
  static FloatingPointMode now();
  bool operator==(const FloatingPointMode&) const = default;
  /// "rounding up, traps 0x0, MXCSR 0x5f80"
  std::string text() const;
};

/// Sets the calling thread's mode to what a program starts with.
void restore_floating_point_mode();

}  // namespace poslab::host
