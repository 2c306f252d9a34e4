// SPDX-License-Identifier: Apache-2.0
// The weights with which a causal layer without positions counts its tokens, and turns the count into distances
// (Kazemnejad et al. 2023, arXiv:2305.19466, theorems 1 and 2), with a scheme's operations in their places.
// Dimension letters: N tokens, D model width, H heads, K head width.
#pragma once

#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::repeated_token {

inline constexpr base::Index channels_to_count = 3;  ///< of the model
inline constexpr base::Index channels_to_tell = 2;   ///< of a head, beside those of the model

/// Theorem 1. Channel 1 of every token is 1, channel 2 is 1 at the first alone (BOS), channel 3 is empty; the scheme's
/// code is added. Queries are random, keys read channel 1, values read channel 2, and the output is written to channel
/// 3, where 1 / t should then stand at token t = 1 .. N: the largest difference over tokens and heads.
/// D >= channels_to_count.
double error_of_counting(const ExperimentInput& input, const host::Weights<double>& weights, base::Index N);

/// Theorem 2. Channel 1 of every token is 1, channel 3 is t; the scheme's code, which residual paths keep, is added.
/// Query t = (channel 1, -channel 3, c), key i = (channel 3, channel 1, c'), c and c' random: the logit should be
/// <c, c'> - (t - i). The largest difference over heads and i <= t, over N.
/// D >= channels_to_count, K >= channels_to_tell.
double error_of_distances(const ExperimentInput& input, const host::Weights<double>& weights, base::Index N);

}  // namespace poslab::experiments::repeated_token
