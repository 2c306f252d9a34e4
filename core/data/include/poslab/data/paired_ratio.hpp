// SPDX-License-Identifier: Apache-2.0
// A ratio of two means over paired draws, and between which values it lies.
#pragma once

#include <cstddef>
#include <vector>

namespace poslab::data {

/// By Fieller 1954, "Some problems in interval estimation": a ratio r of means is possible at an error rate if the
/// differences numerator - r denominator have a mean that Student's t test at this error rate cannot tell from 0.
/// The mean of the pairs' own ratios, or of their logarithms, is another number wherever denominators vary.
class PairedRatio {
 public:
  /// Numbers that are not negative; as many of both, and not all denominators 0. A base::Error otherwise.
  PairedRatio(const std::vector<double>& numerators, const std::vector<double>& denominators);

  std::size_t pairs() const { return pairs_; }
  double ratio() const;
  double log_ratio() const;  ///< where the ratio is no normal double, too; -infinity where all numerators are 0

  struct Interval {
    double low = 0, high = 0;  ///< high may be infinity
  };
  /// Holds the true ratio but for so many cases: 0.05 for 1 in 20. Infinite of one pair.
  Interval interval(double error_rate) const;
  /// The least error rate at which the interval leaves out `r`: the p value of a two-sided test. 1 of one pair.
  double chance_of(double r) const;

 private:
  std::size_t pairs_;
  double unit_;                // the scaled ratio times this is the ratio
  double log_unit_;            // which may be no normal double
  double top_, bottom_;        // means, each divided by its largest number, so that nothing underflows
  double vtop_, vbottom_, c_;  // variances of these means, and their covariance
};

/// How many errors around a mean of `values` numbers all but so many cases lie, both sides together, by Student's t.
double student_quantile(double error_rate, std::size_t values);

}  // namespace poslab::data
