// SPDX-License-Identifier: Apache-2.0
// Says which array a plugin missed when it touches guard pages. The process still dies of the signal.
#pragma once

#include <csignal>
#include <functional>
#include <string>

#include "calls/memory.hpp"

namespace poslab::check {

/// Gets "wrote index 12 of `output`, after its end (it holds 12 numbers)".
using FaultReport = std::function<void(const std::string&)>;

/// While it lives, a fault within the guard pages of `memory` is reported before it ends the process. One at a time.
class FaultWatch {
 public:
  FaultWatch(const Memory& memory, const FaultReport& report);
  ~FaultWatch();
  FaultWatch(const FaultWatch&) = delete;
  FaultWatch& operator=(const FaultWatch&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace poslab::check
