// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/mean_and_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace poslab::data {
namespace {

constexpr int max_digits = 6;  // significant ones; an error that these do not show is not shown

int exponent_of(double x) { return static_cast<int>(std::floor(std::log10(std::abs(x)))); }

// How a mean and its error are written: where their digits end.
struct Rounded {
  double error = 0;
  bool is_drawn = false;      // there is an error that is not that of the sums
  bool shows_error = false;   // the digits of the mean reach to it
  bool has_exponent = false;  // where zeros would fill the line
  int size = 0;               // exponent of the larger of both
  int decimals = 0;           // behind the point; behind that of the mantissa where there is an exponent
  int error_digits = 1;

  // The error as a whole number of units of the last of `places` decimals.
  std::string error_in_units(int places) const {
    const double units = std::round(error * std::pow(10, places));
    return fmt::format("{:.0f}", places < 0 ? units * std::pow(10, -places) : units);
  }
};

Rounded rounded_by(const MeanAndError& value) {
  constexpr double rounding = 1e-12;  // an error below is that of the sums, not of the draws
  Rounded rounded;
  rounded.error = value.error;
  rounded.is_drawn = value.error > rounding * std::abs(value.mean) && std::isfinite(value.error);
  if (!rounded.is_drawn) return rounded;
  const int exponent = exponent_of(value.error);
  rounded.error_digits = value.error / std::pow(10, exponent) < 1.95 ? 2 : 1;
  rounded.size = exponent_of(std::max(std::abs(value.mean), value.error));
  int decimals = rounded.error_digits - 1 - exponent;
  rounded.shows_error = decimals + rounded.size < max_digits;
  rounded.has_exponent = decimals > 6 || (decimals > 4 && std::abs(value.mean) < 1e-3) || decimals < -3;
  rounded.decimals = rounded.has_exponent ? std::max(0, decimals + rounded.size) : decimals;
  return rounded;
}

// With so many decimals; rounded to tens, hundreds, ... where they are negative.
std::string fixed(double x, int decimals) {
  if (decimals >= 0) return fmt::format("{:.{}f}", x, decimals);
  const double unit = std::pow(10, -decimals);
  return fmt::format("{:.0f}", std::round(x / unit) * unit);
}

}  // namespace

MeanAndError mean_and_error(const std::vector<double>& all) {
  std::vector<double> values;
  for (const double value : all)
    if (!std::isnan(value)) values.push_back(value);
  if (values.empty()) return {0, std::numeric_limits<double>::quiet_NaN(), 0};
  // Infinities, too: they have no mean.
  if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); }))
    return {values.size(), values.front(), 0};
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {values.size(), mean, std::sqrt(squares / (count - 1) / count)};
}

double errors_around(std::size_t values) {
  // 97.5 % quantiles for 1 to 9 degrees of freedom; beyond, 2 + 2.6 / degrees is a little more than they are.
  constexpr double quantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
  if (values < 2) return std::numeric_limits<double>::infinity();
  const std::size_t degrees = values - 1;
  return degrees <= std::size(quantiles) ? quantiles[degrees - 1] : 2 + 2.6 / static_cast<double>(degrees);
}

bool differs_from(const MeanAndError& value, double from) {
  if (value.values < 2 || std::isnan(value.mean)) return false;
  return std::abs(value.mean - from) > errors_around(value.values) * value.error;
}

std::string to_text(const MeanAndError& value, int digits) {
  const Rounded rounded = rounded_by(value);
  if (!rounded.shows_error) return fmt::format("{:.{}g}", value.mean, rounded.is_drawn ? max_digits : digits);
  if (rounded.has_exponent) {
    const int of_error = std::max(0, rounded.error_digits - 1);
    return fmt::format("{:.{}e} ± {:.{}e}", value.mean, rounded.decimals, value.error, of_error);
  }
  return fmt::format("{} ± {}", fixed(value.mean, rounded.decimals), fixed(value.error, rounded.decimals));
}

std::string compact_text(const MeanAndError& value, int digits) {
  const Rounded rounded = rounded_by(value);
  if (!rounded.shows_error) return to_text(value, digits);
  if (!rounded.has_exponent)
    return fmt::format("{}({})", fixed(value.mean, rounded.decimals), rounded.error_in_units(rounded.decimals));
  const std::string mean = fmt::format("{:.{}e}", value.mean, rounded.decimals);
  const std::size_t exponent = mean.find('e');
  return fmt::format("{}({}){}", mean.substr(0, exponent), rounded.error_in_units(rounded.decimals - rounded.size),
                     mean.substr(exponent));
}

std::string interval_text(double value, double low, double high) {
  const double width = std::min(value - low, high - value);
  const Rounded rounded = rounded_by({2, value, width});
  const auto text = [&](double x) {
    return rounded.shows_error && !rounded.has_exponent ? fixed(x, rounded.decimals) : fmt::format("{:.3g}", x);
  };
  return fmt::format("{} [{}, {}]", text(value), text(low), text(high));
}

}  // namespace poslab::data
