// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "poslab/base/random.hpp"

namespace poslab::base {

/// `count` of 0 .. range - 1, count <= range, in rising order; every subset as likely as any other (Floyd's algorithm:
/// Bentley 1987). Takes the first `count` numbers of the stream.
std::vector<Index> drawn_subset(const Stream& stream, Index count, Index range);

}  // namespace poslab::base
