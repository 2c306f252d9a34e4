// SPDX-License-Identifier: Apache-2.0
// Ranges and tolerances by their names.
#pragma once

#include "poslab/data/catalogue.hpp"

namespace poslab::experiments {

inline constexpr data::Range from_one{.lowest = 1};

/// Tolerance of what is the same number on every machine.
constexpr data::Tolerance exact() { return {}; }
constexpr data::Tolerance absolute(double tolerance) { return {.absolute = tolerance}; }
constexpr data::Tolerance relative(double tolerance) { return {.relative = tolerance}; }
constexpr data::Tolerance statistical() { return {.statistical = true}; }

}  // namespace poslab::experiments
