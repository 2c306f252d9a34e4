// SPDX-License-Identifier: Apache-2.0
// What a library's constructors can change of a process so that other code computes otherwise or fails.
#pragma once

#include <sys/resource.h>

#include <array>
#include <csignal>
#include <string>
#include <vector>

#include "poslab/host/floating_point_mode.hpp"

namespace poslab::host {

class ProcessState {
 public:
  /// The state of this process, and of the calling thread.
  static ProcessState now();
  /// What is different in `later`, for a person: "the floating-point mode (rounding up ...)"; empty: nothing.
  std::vector<std::string> changes_in(const ProcessState& later) const;

 private:
  FloatingPointMode floating_point_;
  std::array<rlimit, RLIM_NLIMITS> limits_{};
  std::array<void (*)(int), NSIG> handlers_{};
  std::array<bool, NSIG> blocked_{};
  std::string directory_, locale_, creation_mask_;
  std::vector<std::string> environment_;
};

}  // namespace poslab::host
