// SPDX-License-Identifier: Apache-2.0
// What the tokens carry whose logits are compared, and these logits.
// Dimension letters: N tokens, H heads, K head width.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::order_inversion {

using base::Array;
using base::Index;
using base::View;

/// Every key its own; one key at every position, drawn apart from the query, or the query's own vector.
enum class Keys { random, moved, equal };

/// Logits of the last token's query, head by head: those at distances 0, 1, ... N - 1. `which` tells keys apart that
/// are drawn for one query ("", "other "). Throws data::not_finite.
template <class S>
std::vector<std::vector<double>> logits_by_distance(const ExperimentInput& input, View<const double> positions,
                                                    std::span<const View<const S>> weights, Keys keys, Index content,
                                                    const char* which = "");

}  // namespace poslab::experiments::order_inversion
