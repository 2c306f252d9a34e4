// SPDX-License-Identifier: Apache-2.0
// What a repeat draws: the order of the rows, and pairs of positions.
#pragma once

#include <utility>
#include <vector>

#include "poslab/data/draws.hpp"

namespace poslab::experiments::decodability {

using base::Index;

/// 0 .. N-1 in random order.
std::vector<Index> shuffled(const data::Draws& draws, Index N);

/// `count` different ordered pairs of positions below N, each as likely as any other, pairs of equals among them.
/// count <= N^2.
std::vector<std::pair<Index, Index>> pairs_of(const data::Draws& draws, Index N, Index count);

}  // namespace poslab::experiments::decodability
