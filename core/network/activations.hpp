// SPDX-License-Identifier: Apache-2.0
// What a pass through a stack writes, laid out in one block of memory whose size is known beforehand.
// Dimension letters: B sequences, T tokens, M = B T rows, D model width, F feed-forward width, H heads, K head width.
#pragma once

#include <algorithm>
#include <vector>

#include "poslab/network/stack.hpp"

namespace poslab::network {

/// Hands out arrays from a block, one after the other; without a block it only counts.
template <class S>
class Arena {
 public:
  explicit Arena(S* block) : block_(block) {}
  View<S> take(std::initializer_list<Index> extents);
  Index taken() const { return taken_; }

 private:
  S* block_;
  Index taken_ = 0;
};

/// What one layer keeps. Where nothing is kept for a backward pass, `middle` is `input`.
template <class S>
struct LayerActivations {
  View<S> input, normed1, mean1, scale1;           // [M, D], [M, D], [M], [M]
  View<S> query, key, value;                       // [B, H, T, K], transformed
  View<S> query_before, key_before, value_before;  // before it, where it has weights and gradients are wanted
  View<S> mixed;                                   // [M, D]: the heads' outputs side by side
  View<S> middle, mean2, scale2;                   // the stream between the sublayers, where there are two
  View<S> normed2, up, active;  // [M, D], [M, F] before and after the activation; only where they are kept
};

/// Gradients by the arrays of the same name.
template <class S>
struct GradientActivations {
  View<S> output, middle, normed, mixed;     // [M, D]
  View<S> query_rows, key_rows, value_rows;  // [M, D]
  View<S> query, key, value;                 // [B, H, T, K]
  View<S> up;                                // [M, F]
  View<S> norms;                             // [tiles, 4, D]: of each tile of rows, weight and bias of two norms
};

template <class S>
struct Activations {
  Index sequences = 0, length = 0;
  std::vector<LayerActivations<S>> layers;  // one for all, where nothing is kept
  View<S> last;                             // the stream after all layers
  View<S> encoded;                          // [T, D]
  View<S> rows;                             // [M, D], of the tile that is at work; only where arrays are kept
  GradientActivations<S> gradient;

  const LayerActivations<S>& layer(Index l) const {
    return layers[std::min(static_cast<std::size_t>(l), layers.size() - 1)];
  }
  /// The stream before layer l, or after all.
  View<S> stream(Index l) const { return l < std::ssize(layers) ? layer(l).input : last; }
};

struct ActivationSize {
  Index sequences, length;
  Index kept_layers;  // 0: one after the other in the same memory
  bool keeps_before;  // q and k before `transform`
  bool keeps_values_before;
};

/// The arrays of a batch of this size in `arena`.
template <class S>
void lay_out(const StackOptions& options, const ActivationSize& size, Arena<S>& arena, Activations<S>& out);

}  // namespace poslab::network
