// SPDX-License-Identifier: Apache-2.0
// Weights that training at a length never moves: rows of a table for positions that it never shows. A code that depends
// on them is as it was drawn, whoever made the table.
#pragma once

#include <functional>
#include <vector>

#include "measured_positions.hpp"

namespace poslab::experiments::extrapolation {

/// Whether the question can be asked: not of a scheme with weights to train whose plugin offers no gradient.
bool knows_untrained(const host::Scheme& scheme);

/// The codes [T + rows, W] with the given weights: those of the T trained positions first.
using CodesWith = std::function<Array<double>(const host::Weights<double>& weights)>;

/// The share of each row of `codes` that untrained entries of the weights hold, in the array where it is largest:
/// u / (u + t), the squared changes of the row where the untrained (u) or all other entries (t) of the array are drawn
/// anew; 0 where neither changes it. Untrained are the entries by which the derivative is 0 of all that the scheme does
/// to trained positions [T, A]: to all of them as keys, and to the last of them as query. Where drawing them again
/// changes a trained code all the same, they belong to units of a network that happen to be silent, and count as
/// trained. So do frozen weights, which are meant to stay as drawn.
std::vector<double> untrained_shares(const ExperimentInput& input, const host::Context& trained,
                                     View<const double> positions, Index rows, const CodesWith& codes);

/// That of the code of each measured position; NaN where the scheme does not serve it.
std::vector<double> untrained_at(const Extrapolation& at, const ExperimentInput& input,
                                 const std::vector<MeasuredPosition>& measured);

}  // namespace poslab::experiments::extrapolation
