// SPDX-License-Identifier: Apache-2.0
// A Transformer language model with every operation of a scheme in its place, and its gradient:
//   x = embedding[token] + encode;  in each layer, which may have a scheme of its own, x += attention(norm(x)), x +=
//   down(gelu(up(norm(x)))); logits = unembedding . norm(x)
// The work of a batch goes by tiles of rows of one size, which any thread may take, and sums go in one order: the
// numbers do not depend on the number of threads.
// Dimension letters: B sequences, T tokens of each, M = B T rows, D model width, L layers.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "poslab/network/configuration.hpp"
#include "poslab/network/layers.hpp"
#include "poslab/network/parameters.hpp"
#include "poslab/network/stack.hpp"

namespace poslab::network {

/// Sequences with what is to be said of each token, where `loss_mask` is 1. Nothing is shifted by the network.
struct Batch {
  View<const std::int32_t> tokens, targets;  ///< [B, T], each in 0 .. V-1
  View<const std::uint8_t> loss_mask;        ///< [B, T]
  /// [T, A] of every sequence, or [B, T, A], those of each, of which a network takes one at a time (`sequence`); empty:
  /// 0, 1, ..., T-1.
  host::Positions positions = {};
  View<const double> vectors = {};  ///< [B, T, W], where the network has W; the tokens are then ignored
  View<const Index> lengths = {};   ///< [B]: tokens of each, which others fill up to T; empty: T of each

  bool has_own_positions() const { return positions.rank == 3; }
  /// Some of its sequences.
  Batch rows(Index first, Index count) const {
    Batch some{tokens.rows(first, count), targets.rows(first, count), loss_mask.rows(first, count), positions};
    if (vectors.data) some.vectors = vectors.rows(first, count);
    if (has_own_positions()) some.positions = positions.rows(first, count);
    if (lengths.data) some.lengths = lengths.rows(first, count);
    return some;
  }
  /// One of them, at its positions [T, A], without what it is filled up with.
  Batch sequence(Index number) const;
};

/// Sees attention [H, Nq, Nk] of some queries of one layer and sequence; called from several threads at once.
template <class S>
using AttentionVisitor = std::function<void(Index layer, Index sequence, Index first_query, View<const S> attention)>;

/// The largest batch that a network is made for.
struct Capacity {
  Index sequences = 1, length = 1;
  bool gradient = false;
};

template <class S>
class Network {
 public:
  /// Takes all its memory. `schemes`: those of its layers; their model is the network's.
  Network(const Configuration& configuration, const host::LayerSchemes& schemes, const Layout& layout,
          const Capacity& capacity);
  Network(const Network&) = delete;
  ~Network();
  /// What it takes.
  static double bytes(const Configuration& configuration, const host::LayerSchemes& schemes, const Capacity& capacity);

  /// What is lost at every token [B T]; 0 where the batch counts none. Good until the next call.
  std::span<const TokenLoss> evaluate(const Parameters<S>& parameters, const Batch& batch,
                                      const AttentionVisitor<S>& visit = {});
  /// The logits of every token [B T, V]; good until the next call.
  View<const S> logits(const Parameters<S>& parameters, const Batch& batch);
  /// As `evaluate`; `gradient` is overwritten with that of the mean loss of the tokens that count.
  std::span<const TokenLoss> differentiate(const Parameters<S>& parameters, const Batch& batch,
                                           Parameters<S>& gradient);
  /// The gradient by the embedded tokens [B, T, D], of the last `differentiate`; good until the next call.
  View<const S> input_gradient() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// The options of its stack.
StackOptions stack_options(const Configuration& configuration);

/// The mean of what counts in batches that come one after the other.
class MeanLoss {
 public:
  void add(std::span<const TokenLoss> losses, View<const std::uint8_t> loss_mask);
  double value() const { return sum_ / count_; }

 private:
  double sum_ = 0, count_ = 0;
};

/// That of one batch.
double mean_loss(std::span<const TokenLoss> losses, View<const std::uint8_t> loss_mask);

}  // namespace poslab::network
