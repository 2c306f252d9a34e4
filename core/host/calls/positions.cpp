// SPDX-License-Identifier: Apache-2.0
// Which positions a variant serves: every call checks them, so that nothing ever wraps around or is clamped unseen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/data/refusal.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

// Whether every number lies in [lowest, highest] and, if `whole`, is an integer. Comparisons into one flag: this loop
// becomes vector code, and it runs at every call.
bool all_served(std::span<const double> numbers, double lowest, double highest, bool whole) {
  std::int64_t outside = 0;
  for (const double x : numbers) outside |= std::int64_t{!(x >= lowest)} | std::int64_t{!(x <= highest)};
  if (whole)
    for (const double x : numbers) outside |= std::int64_t{x != std::trunc(x)};
  return outside == 0;
}

}  // namespace

data::PositionLimits Scheme::position_limits() const {
  return {lowest_position(), highest_position(), !info().real_positions};
}

std::optional<base::Refusal> Scheme::why_not_positions(double lowest, double highest) const {
  const data::PositionLimits limits = position_limits();
  for (const double x : {lowest, highest})
    if (!limits.contain(x)) return data::PositionOutOfRange(info().id, x, limits).what();
  return std::nullopt;
}

int Scheme::least_axes() const { return instance_.least_axes ? instance_.least_axes : info().least_axes; }
int Scheme::most_axes() const { return instance_.most_axes ? instance_.most_axes : info().most_axes; }

void Scheme::require_positions(Positions positions) const {
  const Index axes = positions.shape[1];
  if (positions.rank != 2) throw wrong_call(fmt::format("scheme \"{}\"", info().id), "positions must be [N, A]");
  if (axes < least_axes() || axes > most_axes()) {
    const std::string wanted =
        least_axes() == most_axes() ? std::to_string(least_axes()) : fmt::format("{} to {}", least_axes(), most_axes());
    throw data::Refused(fmt::format("scheme \"{}\" serves positions of {} {}, not of {}", info().id, wanted,
                                    wanted == "1" ? "axis" : "axes", axes));
  }
  constexpr double largest = std::numeric_limits<double>::max();
  const double lowest = std::max(lowest_position(), -largest), highest = std::min(highest_position(), largest);
  if (all_served(positions.flat(), lowest, highest, !info().real_positions)) return;
  for (const double x : positions.flat())
    if (!position_limits().contain(x)) throw data::PositionOutOfRange(info().id, x, position_limits());
}

}  // namespace poslab::host
