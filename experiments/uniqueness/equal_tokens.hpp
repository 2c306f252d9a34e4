// SPDX-License-Identifier: Apache-2.0
// What a contextual scheme says of positions: a sequence of one token over and over, in which only positions differ.
// Dimension letters: N positions, A axes, C contents, D model width, H heads.
#pragma once

#include <span>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments::uniqueness {

/// Codes this near, relative to the norm of the longer, count as one.
inline constexpr double collision_tolerance = 1e-9;

struct EqualTokens {
  double distinct = 0;    ///< positions that are told apart, mean over contents
  double told_apart = 0;  ///< share of pairs of positions, mean over contents; NaN where there is no pair
};

/// For each of `tokens` [C, D], the logits [N, H] of the token at row `query` of `positions` [N, A] against all; two
/// positions are told apart if these differ by more than `tolerance` of the longer one's norm.
template <class S>
EqualTokens equal_tokens(const host::Scheme& scheme, const host::Context& context, base::View<const double> positions,
                         base::Index query, std::span<const base::View<const S>> weights, const base::Array<S>& tokens,
                         double tolerance);

}  // namespace poslab::experiments::uniqueness
