// SPDX-License-Identifier: Apache-2.0
// The logits of the pairs at one distance: sums that need no division for each of them.
#pragma once

#include <algorithm>
#include <cmath>

namespace poslab::experiments::distance_profile {

/// Mean and standard deviation of logits, taken from the first of them as a reference (equal logits deviate by exactly
/// 0), and the mean of what positions change in them.
class Tally {
 public:
  void add(double logit, double change) {
    if (count_ == 0) reference_ = logit;
    const double apart = logit - reference_;
    count_ += 1;
    sum_ += apart;
    squares_ += apart * apart;
    changes_ += change;
  }

  /// As if the other's pairs had come after these.
  void append(const Tally& other) {
    if (other.count_ == 0) return;
    if (count_ == 0) reference_ = other.reference_;
    const double apart = other.reference_ - reference_;
    squares_ += other.squares_ + 2 * apart * other.sum_ + other.count_ * apart * apart;
    sum_ += other.sum_ + other.count_ * apart;
    count_ += other.count_;
    changes_ += other.changes_;
  }

  double mean() const { return reference_ + sum_ / count_; }
  double deviation() const { return std::sqrt(std::max(0.0, squares_ - sum_ * sum_ / count_) / count_); }
  double change() const { return changes_ / count_; }

 private:
  double count_ = 0, reference_ = 0, sum_ = 0, squares_ = 0, changes_ = 0;
};

}  // namespace poslab::experiments::distance_profile
