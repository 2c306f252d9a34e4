// SPDX-License-Identifier: Apache-2.0
// Comparing the outputs of two calls.
#pragma once

#include <string>

#include "calls/make_call.hpp"

namespace poslab::check {

/// How many numbers of the scalar type lie between two; 0 for equal bits, the same nan, or both zeros.
double ulps_apart(double a, double b, int scalar);

/// Empty if the outputs of two calls are the same within `ulps`; else "entry 3 of `output`: 1.5 and 1.25".
std::string difference(Call& a, Call& b, double ulps = 0);
/// Throws Failed with "NAME_OF_CALL WHAT: DIFFERENCE" if they are not the same.
void require_same(Call& a, Call& b, const std::string& what, double ulps = 0);

/// Calls worth comparing: every one of an instance, for several inputs that differ in positions, contents and number of
/// positions.
std::vector<Call> varied_calls(const Instance& instance);

}  // namespace poslab::check
