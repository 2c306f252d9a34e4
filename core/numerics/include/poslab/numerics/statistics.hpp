// SPDX-License-Identifier: Apache-2.0
// Running sums that give the same bits for the same numbers in the same order.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace poslab::numerics {

/// Mean, variance, extremes and root mean square of numbers that come one by one (Welford 1962: no cancellation).
class Moments {
 public:
  void add(double x) {
    count_ += 1;
    const double from_old_mean = x - mean_;
    mean_ += from_old_mean / count_;
    squared_deviations_ += from_old_mean * (x - mean_);
    squares_ += x * x;
    lowest_ = std::min(lowest_, x);
    highest_ = std::max(highest_, x);
  }

  /// As if the other's numbers had come after these (Chan, Golub and LeVeque 1979).
  void append(const Moments& other) {
    const double both = count_ + other.count_, apart = other.mean_ - mean_;
    if (other.count_ == 0) return;
    squared_deviations_ += other.squared_deviations_ + apart * apart * count_ * other.count_ / both;
    mean_ += apart * other.count_ / both;
    count_ = both;
    squares_ += other.squares_;
    lowest_ = std::min(lowest_, other.lowest_);
    highest_ = std::max(highest_, other.highest_);
  }

  double count() const { return count_; }
  double mean() const { return mean_; }
  /// The variance of the numbers themselves, not an estimate for a population that they were drawn from; 0 for none.
  double variance() const { return count_ > 0 ? squared_deviations_ / count_ : 0; }
  double root_mean_square() const { return count_ > 0 ? std::sqrt(squares_ / count_) : 0; }
  double lowest() const { return lowest_; }    ///< infinity for none
  double highest() const { return highest_; }  ///< -infinity for none
  double largest_magnitude() const { return count_ > 0 ? std::max(std::abs(lowest_), std::abs(highest_)) : 0; }

 private:
  double count_ = 0, mean_ = 0, squared_deviations_ = 0, squares_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity(), highest_ = -lowest_;
};

/// a / b, and 0 where both are 0: the share of nothing in nothing.
inline double ratio_or_zero(double a, double b) { return a == 0 && b == 0 ? 0 : a / b; }

}  // namespace poslab::numerics
