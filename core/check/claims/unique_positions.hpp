// SPDX-License-Identifier: Apache-2.0
// The positions at which the claim unique is tried.
#pragma once

#include "instance.hpp"

namespace poslab::check {

/// Where the positions end that are tried for a claim up to n: n, or 2^24.
double end_of_positions(double n);

/// Points [N, A] of which each coordinate is a whole number below `end` that is served, in order: all, if they are few;
/// else the first, the last, powers and round numbers, half of the end, and some between.
Tensor positions_up_to(const Instance& instance, double end);

}  // namespace poslab::check
