// SPDX-License-Identifier: Apache-2.0
// The time that a child may take.
#pragma once

#include <chrono>

namespace poslab::process {

/// To be asked often: a pause of more than 10 s between two questions, in which this process itself did not run, as
/// after Ctrl-Z, is not the child's and does not count.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : limit_(seconds) {}
  bool is_over() {
    const auto now = Clock::now();
    const std::chrono::duration<double> passed = now - asked_at_;
    asked_at_ = now;
    if (passed < longest_pause) used_ += passed;
    return used_ > limit_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds longest_pause{10};
  const std::chrono::duration<double> limit_;
  std::chrono::duration<double> used_{0};
  Clock::time_point asked_at_ = Clock::now();
};

}  // namespace poslab::process
