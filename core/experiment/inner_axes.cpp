// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/inner_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "poslab/experiment/experiment.hpp"
#include "poslab/plugin.h"

namespace poslab::experiments {

using base::Index;

std::vector<double> rising(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

double whole_share(double share, double whole) { return std::floor(share * whole * (1 + 0x1p-50)); }

std::vector<double> numbers_below(Index count) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return numbers;
}

std::optional<base::Refusal> why_not_whole(const std::vector<double>& list, const std::string& name,
                                           const std::string& of_what) {
  if (list.empty()) return fmt::format("the list of {}s is empty: there is nothing to look at", name);
  for (const double value : list)
    if (value != std::trunc(value))
      return fmt::format("a {} is a whole number of {}, but {} is asked for", name, of_what, data::to_text(value));
  return std::nullopt;
}

std::optional<base::Refusal> why_not_finite(const host::Scheme& scheme, const std::string& consequence) {
  if (!scheme.claims(POSLAB_MAY_BE_INFINITE)) return std::nullopt;
  return "it may give -infinity: " + consequence;
}

std::optional<base::Refusal> why_no_causal_stack(const Setting& of, const std::vector<double>& depths, Index length) {
  if (auto refusal = why_not_whole(depths, "depth", "layers")) return refusal;
  return of.why_not_attended(true, length);
}

}  // namespace poslab::experiments
