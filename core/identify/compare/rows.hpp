// SPDX-License-Identifier: Apache-2.0
// Which rows of an observation are looked at, in blocks.
#pragma once

#include <utility>
#include <vector>

#include "compare/compare.hpp"

namespace poslab::identify {

/// First row and count of each block of the first `max_rows` rows; of few, some near the beginning and some far from
/// it.
std::vector<std::pair<Index, Index>> blocks_of(const Observation& observation, Index max_rows, Rows rows);

}  // namespace poslab::identify
