// SPDX-License-Identifier: Apache-2.0
// An untrained causal stack of attention layers over random contents, and what its attention gives to position 0.
// Dimension letters: N positions, D model width, H heads, K head width.
#pragma once

#include <vector>

#include "poslab/attention/attention.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::first_position_bias {

using base::Array;
using base::Index;
using base::View;

/// Random projections [D, D] of one layer, entries N(0, 1/D): drawn without the scheme, so that all schemes share them.
template <class S>
struct Projections {
  Array<S> query, key;
  Array<S> value;
};
/// The projections of each of `depth` layers.
template <class S>
std::vector<Projections<S>> draw_projections(const data::Draws& draws, Index depth, Index model_width);

/// Attention that reaches position 0, A averaged over heads.
struct FirstPosition {
  std::vector<double> sink;              ///< of the heads of one layer: (1/N) sum_i A_i0
  std::vector<double> context;           ///< [N]: F_t(i) = (A^(t) ... A^(1))_i0
  std::vector<double> residual_context;  ///< [N]: G_t(i), the same of (A + I) / 2
};

/// x <- x + attention(x / rms(x)) W, layer after layer; no feed-forward part.
template <class S>
class Stack {
 public:
  /// `content` [N, D]. Without `with_positions` the scheme is left out. Without `residual`, x <- attention(...).
  Stack(const ExperimentInput& input, const Array<double>& content, bool with_positions, Index depth, bool residual);

  /// Runs the next layer. `query_gain` stretches its queries: 1 gives logits of variance 1 before positions, 0 none.
  /// In the last layer only the attention is used, which needs no values.
  void step(const Projections<S>& projections, double query_gain, bool last);

  const FirstPosition& first_position() const { return seen_; }

  /// The logits [H, N] of the last query in the first layer, once that has run.
  const Array<double>& last_logits() const { return last_logits_; }

 private:
  void project(const Projections<S>& projections, double query_factor, bool values);
  void keep_last_logits(const attention::Layer<S>& layer, const attention::Transformed<S>& transformed);
  void add_output(View<const S> output);

  const host::Scheme* scheme_;  // null: no positions
  Index layer_ = 0, heads_;
  bool residual_;
  Array<double> positions_;  // [N, 1]
  host::Weights<S> weights_;
  Array<S> x_, normed_;           // [N, D]
  Array<S> query_, key_, value_;  // [H, N, K]
  FirstPosition seen_;
  Array<double> last_logits_;  // [H, N]
};

}  // namespace poslab::experiments::first_position_bias
