// SPDX-License-Identifier: Apache-2.0
// The axes of experiments that say how many positions a sequence has.
#pragma once

#include <algorithm>
#include <array>
#include <string>

namespace poslab::data {

/// What a sequence has, and what one had in training; where an experiment has both, the first is what it measures at.
inline constexpr std::array<const char*, 2> length_axes{"length", "train_length"};

inline bool is_length(const std::string& axis) {
  return std::any_of(length_axes.begin(), length_axes.end(), [&](const char* length) { return axis == length; });
}

}  // namespace poslab::data
