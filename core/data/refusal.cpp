// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/refusal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "poslab/base/text.hpp"

namespace poslab::data {
namespace {

std::string served(const PositionLimits& limits) {
  const bool from = std::isfinite(limits.lowest), to = std::isfinite(limits.highest);
  if (from && to)
    return fmt::format("positions {} to {}", base::shortest(limits.lowest), base::shortest(limits.highest));
  return from ? "positions from " + base::shortest(limits.lowest) : "positions up to " + base::shortest(limits.highest);
}

std::string sentence(const std::string& scheme, double position, const PositionLimits& limits) {
  if (!std::isfinite(position))
    return fmt::format("scheme \"{}\" cannot serve the position {}", scheme, base::shortest(position));
  const bool outside = position < limits.lowest || position > limits.highest;
  return fmt::format("scheme \"{}\" serves {}, but position {} is asked for", scheme,
                     outside ? served(limits) : "whole positions only", base::shortest(position));
}

}  // namespace

Refused::Refused(const std::string& reason_) : Error(Kind::request, reason_), reason(reason_) {}

Refused::Refused(const std::string& subject_, const std::string& reason_)
    : Error(Kind::request, fmt::format("{}: {}", subject_, reason_)), subject(subject_), reason(reason_) {}

bool PositionLimits::contain(double position) const {
  return std::isfinite(position) && position >= lowest && position <= highest &&
         (!whole || position == std::trunc(position));
}

PositionOutOfRange::PositionOutOfRange(const std::string& scheme, double position_, const PositionLimits& limits_)
    : Error(Kind::request, sentence(scheme, position_, limits_)), position(position_), limits(limits_) {}

PositionOutOfRange::PositionOutOfRange(const std::string& where, const std::string& reason)
    : Error(Kind::request, fmt::format("{}: {}", where, reason)) {}

base::Error not_finite(const std::string& array, std::vector<std::int64_t> index, double value) {
  return not_finite(array, fmt::format("[{}]", fmt::join(index, ", ")), value);
}

base::Error not_finite(const std::string& quantity, const std::string& where, double value) {
  return {base::Error::Kind::numeric,
          fmt::format("{} is {} at {}: every number must be finite here", quantity, base::shortest(value), where)};
}

}  // namespace poslab::data
