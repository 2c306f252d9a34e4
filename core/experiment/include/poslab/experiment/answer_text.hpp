// SPDX-License-Identifier: Apache-2.0
// What the sentences of answers have in common.
#pragma once

#include <string>

#include "poslab/experiment/point.hpp"

namespace poslab::experiments::answer_text {

/// The condition under which a sentence holds: " (N = 256, float32, 10 repeats)"; without the scalar type if there is
/// no such axis.
std::string where(const Point& point);

}  // namespace poslab::experiments::answer_text
