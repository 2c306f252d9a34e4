// SPDX-License-Identifier: Apache-2.0
// Comparing what two calls gave.
#pragma once

#include <string>

#include "call.hpp"

namespace poslab::check {

/// How many numbers of the scalar type lie between two; 0 for equal bits, the same nan, or both zeros.
double ulps_apart(double a, double b, int scalar);

/// Empty if the outputs of two calls are the same within `ulps`; else "entry 3 of `output`: 1.5 and 1.25".
std::string difference(Call& a, Call& b, double ulps = 0);

}  // namespace poslab::check
