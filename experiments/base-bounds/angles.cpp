// SPDX-License-Identifier: Apache-2.0
#include "angles.hpp"

#include <fmt/format.h>

#include <cmath>

namespace poslab::experiments::base_bounds {
namespace {

// The last plane tells the base best: its power is the least.
double base_of(std::span<const double> angles) {
  const auto J = static_cast<double>(angles.size());
  return std::pow(angles.back(), -J / (J - 1));
}

double angle_of(double base, std::size_t plane, std::size_t J) {
  return std::pow(base, -static_cast<double>(plane) / static_cast<double>(J));
}

}  // namespace

std::optional<base::Refusal> why_no_base(const host::Scheme& scheme) {
  const std::span<const double> angles = scheme.inverse_frequency();
  if (angles.empty()) return "it declares no angles that hold at every length, so that it has no base to bound";
  if (angles.size() == 1)
    return fmt::format("it rotates one plane, by {:g} rad a position whatever its base: bounds need two planes or more",
                       angles[0]);
  const double base = angles.back() > 0 ? base_of(angles) : 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    if (!(base > 0) || !(std::abs(angles[i] - angle_of(base, i, angles.size())) <= 1e-9 * angles[i]))
      return fmt::format(
          "it rotates plane {} by {:.6g} rad a position: the bounds are those of angles base^(-i / J) of J planes, "
          "which begin with 1 and fall by one factor",
          i, angles[i]);
  if (base <= 1) return fmt::format("it has base {:g}: the bounds need a base above 1", base);
  return std::nullopt;
}

Angles angles_of(const host::Scheme& scheme) {
  const std::span<const double> angles = scheme.inverse_frequency();
  return {{angles.begin(), angles.end()}, base_of(angles)};
}

}  // namespace poslab::experiments::base_bounds
