// SPDX-License-Identifier: Apache-2.0
// What the last token hears of each position, where attention goes by positions and mask alone.
// Dimension letters: N positions.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::u_shape {

using base::Array;
using base::Index;
using base::View;

/// [N, N]: causal attention of queries and keys that are 0, averaged over heads; one matrix for each of the layers, or
/// one for all where these do not differ.
std::vector<Array<double>> empty_attention(const ExperimentInput& input, Index length, Index layers);
/// How many matrices that are.
Index different_layers(const host::Scheme& scheme, Index layers);

/// The last row of B^(depth) ... B^(1) with B = (1 - mixing) I + mixing A.
std::vector<double> last_context(const std::vector<Array<double>>& attention, Index depth, double mixing);

/// How many tokens before the last one its context lies on average: sum over j of row_j (N - 1 - j).
double mean_distance(const std::vector<double>& row);

/// The limit of N times its middle for even causal attention (Chowdhury 2026, arXiv:2603.10123, at x = 1/2).
double middle_limit(Index depth, double mixing);

}  // namespace poslab::experiments::u_shape
