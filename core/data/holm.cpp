// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/holm.hpp"

#include <algorithm>
#include <numeric>

namespace poslab::data {

std::vector<double> holm_error_rates(const std::vector<double>& chances, std::size_t family, double error_rate) {
  const std::size_t members = std::max(family, chances.size());
  std::vector<std::size_t> surest_first(chances.size());
  std::iota(surest_first.begin(), surest_first.end(), std::size_t{0});
  std::stable_sort(surest_first.begin(), surest_first.end(),
                   [&](std::size_t a, std::size_t b) { return chances[a] < chances[b]; });
  std::vector<double> rates(chances.size());
  std::size_t given = 0;
  bool any_refused = false;
  for (const std::size_t i : surest_first) {
    rates[i] = error_rate / static_cast<double>(members - given);
    any_refused = any_refused || !(chances[i] <= rates[i]);
    if (!any_refused) ++given;
  }
  return rates;
}

}  // namespace poslab::data
