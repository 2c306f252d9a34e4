// SPDX-License-Identifier: Apache-2.0
// Random contents and projections do not know one channel from another. So a scheme's channels may be put in any order
// that does not depend on them. In this one, variants that differ in where their channels stand alone, as interleaved
// and half-split pairs do, meet the same draws and give the same numbers.
// Dimension letters: N positions, C channels, H heads, K head width, D model width.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/host/layer_schemes.hpp"

namespace poslab::experiments::first_position_bias {

using base::Index;
using base::View;

/// Channels in ascending order of what they hold at the first row; of those that are equal there, at the second, and so
/// on. Those that are equal throughout stay as they are. rows: [N, C].
std::vector<Index> channel_order(View<const double> rows);

/// In which order the channels [D] of the schemes' codes stand. Empty where there are none, and where a scheme reads
/// the stream, which may belong to its code's channels.
std::vector<Index> code_channel_order(const host::LayerSchemes& schemes, const host::LayerWeights<double>& weights,
                                      Index length, View<const double> positions);

/// The same of queries and keys, by what the scheme makes of a query of ones: the channels of a head stay within it,
/// all heads side by side [D]. Empty where it does not transform queries.
std::vector<Index> query_channel_order(const host::Scheme& scheme, const std::vector<View<const double>>& weights,
                                       Index layer, Index length, View<const double> positions);

}  // namespace poslab::experiments::first_position_bias
