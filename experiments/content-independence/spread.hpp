// SPDX-License-Identifier: Apache-2.0
// Sums over contents, heads and pairs of what a scheme adds to logits.
// Dimension letters: C contents, N positions, H heads.
#pragma once

#include <vector>

#include "contributions.hpp"

namespace poslab::experiments::content_independence {

struct Spread {
  double logit_size = 0, size = 0, content_spread = 0;
  std::vector<double> by_offset;  ///< [N], by how many tokens the key stands before the query
};

/// C >= 2. `causal`: of the pairs that a causal mask shows; else of all.
template <class S>
Spread spread(const Setting<S>& setting, const std::vector<Contents<S>>& contents, bool causal);

/// The curvature over contents taken in pairs; C >= 2.
template <class S>
double curvature(const Setting<S>& setting, const std::vector<Contents<S>>& contents, bool causal);

/// What is added to the logits of pairs when the contents of other tokens become others, a third of all at a time, less
/// the mean over the keys of a query, which softmax cancels: root mean square. C >= 2, and at least three tokens. Of
/// schemes with `score` alone: no other operation sees more than a pair.
template <class S>
double third_tokens(const Setting<S>& setting, const std::vector<Contents<S>>& contents, bool causal);

}  // namespace poslab::experiments::content_independence
