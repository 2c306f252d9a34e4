// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/paired_ratio.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "poslab/base/error.hpp"

namespace poslab::data {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double mean_of(const std::vector<double>& values, double unit) {
  double sum = 0;
  for (const double value : values) sum += value / unit;
  return sum / static_cast<double>(values.size());
}

double largest_of(const std::vector<double>& values) {
  const double largest = *std::max_element(values.begin(), values.end());
  return largest > 0 ? largest : 1;
}

boost::math::students_t student(std::size_t values) { return boost::math::students_t(static_cast<double>(values) - 1); }

}  // namespace

double student_quantile(double error_rate, std::size_t values) {
  if (values < 2 || error_rate <= 0) return infinity;
  return boost::math::quantile(boost::math::complement(student(values), error_rate / 2));
}

PairedRatio::PairedRatio(const std::vector<double>& numerators, const std::vector<double>& denominators)
    : pairs_(numerators.size()) {
  const auto is_no_share = [](double value) { return !(value >= 0) || std::isinf(value); };
  if (pairs_ == 0 || denominators.size() != pairs_ || std::any_of(numerators.begin(), numerators.end(), is_no_share) ||
      std::any_of(denominators.begin(), denominators.end(), is_no_share) ||
      std::all_of(denominators.begin(), denominators.end(), [](double value) { return value == 0; }))
    throw base::Error("a ratio of means needs pairs of numbers from 0 on, and a denominator that is not 0");
  const double above = largest_of(numerators), below = largest_of(denominators);
  unit_ = above / below, log_unit_ = std::log(above) - std::log(below);
  top_ = mean_of(numerators, above), bottom_ = mean_of(denominators, below);
  vtop_ = vbottom_ = c_ = 0;
  if (pairs_ < 2) return;
  for (std::size_t i = 0; i < pairs_; ++i) {
    const double a = numerators[i] / above - top_, b = denominators[i] / below - bottom_;
    vtop_ += a * a, vbottom_ += b * b, c_ += a * b;
  }
  const auto n = static_cast<double>(pairs_);
  for (double* moment : {&vtop_, &vbottom_, &c_}) *moment /= n * (n - 1);
}

double PairedRatio::ratio() const { return top_ / bottom_ * unit_; }

double PairedRatio::log_ratio() const { return std::log(top_ / bottom_) + log_unit_; }

// The r with (top - r bottom)^2 <= t^2 (vtop - 2 r c + r^2 vbottom): between the roots of a quadratic, if the mean
// denominator is told from 0 itself; else nothing bounds the ratio from above.
PairedRatio::Interval PairedRatio::interval(double error_rate) const {
  const double t = student_quantile(error_rate, pairs_), t2 = t * t;
  if (!std::isfinite(t)) return {0, infinity};
  const double a = bottom_ * bottom_ - t2 * vbottom_, half_b = top_ * bottom_ - t2 * c_, c = top_ * top_ - t2 * vtop_;
  if (!(a > 0)) return {0, infinity};
  const double root = std::sqrt(std::max(0.0, half_b * half_b - a * c));
  return {std::max(0.0, (half_b - root) / a) * unit_, (half_b + root) / a * unit_};
}

double PairedRatio::chance_of(double r) const {
  if (pairs_ < 2) return 1;
  const double scaled = r / unit_;
  // Where ratios are next to nothing beside r, the denominators alone are in question, and squares would overflow.
  const bool is_huge = !(scaled < 1e100);
  const double difference = is_huge ? bottom_ : top_ - scaled * bottom_;
  const double variance = is_huge ? vbottom_ : vtop_ - 2 * scaled * c_ + scaled * scaled * vbottom_;
  if (difference == 0) return 1;
  constexpr double rounding = 1e-24;  // of a sum of squares that cancel
  const double size = is_huge ? bottom_ : top_ + scaled * bottom_;
  if (!(variance > rounding * size * size)) return std::abs(difference) > 1e-12 * size ? 0 : 1;
  return 2 * boost::math::cdf(boost::math::complement(student(pairs_), std::abs(difference) / std::sqrt(variance)));
}

}  // namespace poslab::data
