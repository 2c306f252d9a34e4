// SPDX-License-Identifier: Apache-2.0
// What the attention of a stack gives to position 0, followed layer by layer.
// Dimension letters: H heads, N positions.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::experiments::first_position_bias {

using base::Array;
using base::Index;
using base::View;

class Rollout {
 public:
  Rollout(Index heads, Index length);

  /// Takes the attention [H, Nq, Nk] of some queries of the next layer; from several threads, each query once.
  template <class S>
  void look(Index first_query, View<const S> attention);
  /// All queries were there.
  void end_layer();

  /// (1/(t H)) sum over the layers so far and heads of (1/N) sum_i A_i0.
  double sink_share() const { return sinks_ / static_cast<double>(layers_ * heads_); }
  /// F_t(N) = (A^(t) ... A^(1))_(N-1, 0), each A averaged over heads.
  double context_share() const { return context_.back(); }
  /// The same of (A + I) / 2.
  double residual_context_share() const { return residual_context_.back(); }

 private:
  Index heads_, layers_ = 0;
  double sinks_ = 0;
  std::vector<double> context_, residual_context_;            // [N]: of the layers so far
  std::vector<double> next_context_, next_residual_context_;  // with the next one
  Array<double> first_column_;                                // [H, N]: A_i0 of the next one
};

}  // namespace poslab::experiments::first_position_bias
