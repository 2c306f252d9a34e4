// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/mean_and_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace poslab::data {

MeanAndError mean_and_error(const std::vector<double>& all) {
  std::vector<double> values;
  for (const double value : all)
    if (!std::isnan(value)) values.push_back(value);
  if (values.empty()) return {0, std::numeric_limits<double>::quiet_NaN(), 0};
  // Of infinities, too, which have no mean.
  if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); }))
    return {values.size(), values.front(), 0};
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {values.size(), mean, std::sqrt(squares / (count - 1) / count)};
}

bool differs_from(const MeanAndError& value, double from) {
  // 97.5 % quantiles for 1 to 9 degrees of freedom; beyond, 2 + 2.6 / degrees is a little more than they are.
  constexpr double quantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
  if (value.values < 2 || std::isnan(value.mean)) return false;
  const std::size_t degrees = value.values - 1;
  const double errors =
      degrees <= std::size(quantiles) ? quantiles[degrees - 1] : 2 + 2.6 / static_cast<double>(degrees);
  return std::abs(value.mean - from) > errors * value.error;
}

std::string to_text(const MeanAndError& value, int digits) {
  constexpr double rounding = 1e-12;  // an error below is that of the sums, not of the draws
  if (!(value.error > rounding * std::abs(value.mean)) || !std::isfinite(value.error))
    return fmt::format("{:.{}g}", value.mean, digits);
  const int exponent = static_cast<int>(std::floor(std::log10(value.error)));
  const bool begins_with_one = value.error / std::pow(10, exponent) < 1.95;
  const int decimals = begins_with_one ? 1 - exponent : -exponent;
  // Where zeros would fill the line, powers of ten, with as many digits as the error has.
  if (decimals > 6 || (decimals > 4 && std::abs(value.mean) < 1e-3) || decimals < -3) {
    const int size = static_cast<int>(std::floor(std::log10(std::max(std::abs(value.mean), value.error))));
    return fmt::format("{:.{}e} ± {:.{}g}", value.mean, std::max(0, decimals + size), value.error,
                       begins_with_one ? 2 : 1);
  }
  if (decimals < 0) {
    const double unit = std::pow(10, -decimals);
    return fmt::format("{:.0f} ± {:.0f}", std::round(value.mean / unit) * unit, std::round(value.error / unit) * unit);
  }
  return fmt::format("{:.{}f} ± {:.{}f}", value.mean, decimals, value.error, decimals);
}

}  // namespace poslab::data
