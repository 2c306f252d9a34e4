// SPDX-License-Identifier: Apache-2.0
// P_h(m, n), the position score: what positions alone say of a pair.
// Dimension letters: N positions, Nq rows of a call, D model width, H heads, K head width.
#pragma once

#include <vector>

#include "poslab/attention/logits.hpp"

namespace poslab::attention {

/// `encode`: <e(m), e(n)>, one head. Otherwise the unmasked logit of all-ones query and all-ones key with scale 1, H
/// heads (so <T_m 1, T_n 1> with the query side on the left, or K + B_h(m, n)). A scheme that reads the layer's input
/// sees ones there too. The scheme and the positions must outlive this.
template <class S>
class PositionScores {
 public:
  PositionScores(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                 std::vector<View<const S>> weights);
  Index heads() const { return encodes() ? 1 : scheme_->model().heads; }  ///< 1 for `encode`, else H
  Index positions() const { return positions_.shape[0]; }                 ///< N
  /// Whether P is <a_m, b_n> per head with factors [heads, N, width]: then a blocked product serves all N^2 pairs.
  bool is_product() const {
    return encodes() || (!scheme_->has(host::Operation::bias) && !scheme_->has(host::Operation::score));
  }
  /// [heads, N, width] if is_product()
  View<const S> left() const { return encodes() ? encoded_.view() : transformed_.query.view(); }
  View<const S> right() const { return encodes() ? encoded_.view() : transformed_.key.view(); }
  /// out [heads, Nq, N]: rows first .. first + Nq - 1. May be called from many threads at once.
  void rows(Index first, View<S> out) const;

 private:
  bool encodes() const { return scheme_->has(host::Operation::encode); }

  const host::Scheme* scheme_;
  host::Context context_;
  host::Positions positions_;
  std::vector<View<const S>> weights_;
  Array<S> encoded_;            // [1, N, D] or empty
  Transformed<S> transformed_;  // [H, N, K] or empty
  Array<S> layer_input_;        // [N, D] of ones, for `score`, or empty
};

}  // namespace poslab::attention
