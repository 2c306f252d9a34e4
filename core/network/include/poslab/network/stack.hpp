// SPDX-License-Identifier: Apache-2.0
// A stack of pre-norm layers, run layer by layer over a batch of sequences, for experiments that look into untrained
// networks:
//   x = content + encode
//   in each layer   z = norm(x);  q, k, v = z Wq', z Wk', z Wv';  x += attention(q, k, v) Wo'
//                   x += relu(norm(x) Wu') Wd'                    where there is a feed-forward part
// norm is layer norm without learned numbers; nothing has a bias. A scheme that leaves the scale out of its logits (T5)
// has it in its queries instead, so that the contents' logits vary alike under all schemes.
// Rows go by tiles of one size and sums in one order: the numbers do not depend on the number of threads.
// Dimension letters: B sequences, T tokens, D model width, F feed-forward width.
#pragma once

#include <functional>
#include <memory>

#include "poslab/data/draws.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/network/configuration.hpp"

namespace poslab::attention {
template <class S>
class BatchAttention;
}

namespace poslab::network {

/// Sees the attention [H, Nq, Nk] of some queries of one sequence; called from several threads at once.
template <class S>
using StackVisitor = std::function<void(Index sequence, Index first_query, View<const S> attention)>;

struct StackShape {
  Index sequences = 1, length = 1, feed_forward = 0;  ///< F = 0: attention alone
  bool causal = true;
};

/// The matrices of one layer, [out, in].
template <class S>
struct StackWeights {
  Array<S> query, key, value, output;  ///< entries N(0, 1/D)
  Array<S> up, down;                   ///< N(0, 2/D) and N(0, 2/F) (He et al. 2015, for relu); empty without that part
};

/// Drawn without the scheme, so that all schemes share them.
template <class S>
StackWeights<S> draw_stack_weights(const data::Draws& draws, Index layer, Index model_width, Index feed_forward);

template <class S>
class Stack {
 public:
  /// `content` [B, T, D]; `positions` [T, A] of every sequence; `weights` of the scheme, for all layers to come. All
  /// but `content` must outlive this.
  Stack(const host::Scheme& scheme, const StackShape& shape, host::Positions positions, const host::Weights<S>& weights,
        View<const S> content);
  Stack(const Stack&) = delete;
  ~Stack();
  /// What it takes, `content` not included.
  static double bytes(const host::Scheme& scheme, const StackShape& shape);
  /// Operations of one layer.
  static double operations(const host::Scheme& scheme, const StackShape& shape);

  /// Runs the next layer; `visit`, if given, sees its attention.
  void step(const StackWeights<S>& layer, const StackVisitor<S>& visit = {});
  /// [B, T, D]: the residual stream after as many layers as were run.
  View<const S> stream() const { return x_; }

 private:
  Index rows() const { return shape_.sequences * shape_.length; }
  void attend(const StackWeights<S>& layer, const StackVisitor<S>& visit);
  void feed_forward(const StackWeights<S>& layer);

  const host::Scheme& scheme_;
  StackShape shape_;
  host::Positions positions_;
  const host::Weights<S>& weights_;
  Index layer_ = 0;
  std::unique_ptr<attention::BatchAttention<S>> attention_;
  Array<S> x_, normed_, mixed_;   // [B, T, D]
  Array<S> query_, key_, value_;  // [B, H, T, K]
};

}  // namespace poslab::network
