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

// x / 10^unit, exact where the power is, up to 10^27: the last bit of std::pow(10.0L, -2) depends on the processor, and
// with it how a tie is rounded. In long double, where no power of ten of a double is 0 or infinite.
long double in_exact_units(double x, int unit) {
  long double power = 1;
  for (int i = 0; i < std::abs(unit); ++i) power *= 10;
  return unit < 0 ? static_cast<long double>(x) * power : static_cast<long double>(x) / power;
}

// How many units 10^unit a number is, rounded.
double in_units(double x, int unit) {
  const auto units = static_cast<double>(std::round(in_exact_units(x, unit)));
  return units == 0 ? 0 : units;  // not -0
}

int digits_of(double units) { return units == 0 ? 1 : exponent_of(units) + 1; }

// Whole units of 10^unit, written as so many of 10^exponent: "1.81".
std::string mantissa(double units, int unit, int exponent) {
  return fmt::format("{:.{}f}", units / std::pow(10, exponent - unit), exponent - unit);
}

std::string power(int exponent) { return fmt::format("e{:+03d}", exponent); }

// "1.81e+07", with its digits down to the unit; one digit of a number below.
std::string scientific(double x, int unit) {
  const double units = in_units(x, unit);
  if (units == 0) return x == 0 ? "0" : fmt::format("{:.0e}", x);
  const int exponent = unit + digits_of(units) - 1;
  return mantissa(units, unit, exponent) + power(exponent);
}

// Without an exponent, down to the unit: "1.42", "1230".
std::string fixed(double units, int unit) {
  return unit > 0 ? fmt::format("{:.0f}", units * std::pow(10, unit))
                  : fmt::format("{:.{}f}", units / std::pow(10, -unit), -unit);
}

// How a mean and its error are written: where their digits end.
struct Rounded {
  bool is_drawn = false;      // there is an error that is not that of the sums
  bool shows_error = false;   // the digits of the mean reach to it
  bool has_exponent = false;  // where zeros would fill the line
  int unit = 0;               // both are whole numbers of 10^unit

  std::string text(double x) const { return has_exponent ? scientific(x, unit) : fixed(in_units(x, unit), unit); }
};

Rounded rounded_by(const MeanAndError& value) {
  constexpr double rounding = 1e-12;  // an error below is that of the sums, not of the draws
  Rounded rounded;
  rounded.is_drawn = value.error > rounding * std::abs(value.mean) && std::isfinite(value.error);
  if (!rounded.is_drawn) return rounded;
  const int exponent = exponent_of(value.error);
  const int error_digits = in_exact_units(value.error, exponent) < 1.95L ? 2 : 1;
  rounded.unit = exponent - error_digits + 1;
  const int size = exponent_of(std::max(std::abs(value.mean), value.error));
  rounded.shows_error = size - rounded.unit < max_digits;
  const int decimals = -rounded.unit;
  rounded.has_exponent = decimals > 6 || (decimals > 4 && std::abs(value.mean) < 1e-3) || decimals < -3;
  return rounded;
}

// A mean that stands without an error, or with one that says nothing of its digits.
std::string alone(double mean, bool is_drawn, int digits) {
  return fmt::format("{:.{}g}", mean, is_drawn ? max_digits : digits);
}

// 1, but where squares of the deviations would leave the range of a double: the largest deviation.
double scale_of(const std::vector<double>& values, double mean) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - mean));
  const bool may_leave = largest > 1e150 || (largest > 0 && largest < 1e-150);
  return may_leave && std::isfinite(largest) ? largest : 1;
}

bool is_unbounded(const MeanAndError& value) { return std::isinf(value.error) && std::isfinite(value.mean); }

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
  const double scale = scale_of(values, mean);
  for (const double value : values) squares += (value - mean) / scale * ((value - mean) / scale);
  return {values.size(), mean, scale * std::sqrt(squares / (count - 1) / count)};
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
  if (is_unbounded(value)) return alone(value.mean, false, digits) + " ± inf";
  const Rounded rounded = rounded_by(value);
  if (!rounded.shows_error) return alone(value.mean, rounded.is_drawn, digits);
  return fmt::format("{} ± {}", rounded.text(value.mean), rounded.text(value.error));
}

std::string compact_text(const MeanAndError& value, int digits) {
  const Rounded rounded = rounded_by(value);
  if (!rounded.shows_error) return to_text(value, digits);
  const double mean = in_units(value.mean, rounded.unit), error = in_units(value.error, rounded.unit);
  if (!rounded.has_exponent)
    return fmt::format("{}({:.0f})", fixed(mean, rounded.unit), error * std::pow(10, std::max(0, rounded.unit)));
  // One exponent for both, that of the larger: the error counts units of the mantissa's last digit.
  const int exponent = rounded.unit + digits_of(std::max(std::abs(mean), error)) - 1;
  return fmt::format("{}({:.0f}){}", mantissa(mean, rounded.unit, exponent), error, power(exponent));
}

std::string interval_text(double value, double low, double high) {
  const Rounded rounded = rounded_by({2, value, std::min(value - low, high - value)});
  const auto text = [&](double x) {
    return rounded.shows_error && std::isfinite(x) ? rounded.text(x) : alone(x, rounded.is_drawn, 3);
  };
  return fmt::format("{} [{}, {}]", text(value), text(low), text(high));
}

}  // namespace poslab::data
