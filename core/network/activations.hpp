// SPDX-License-Identifier: Apache-2.0
// What a pass through the network writes, laid out in one block of memory whose size is known beforehand.
// Dimension letters: B sequences, T tokens, M = B T rows, D model width, F feed-forward width, H heads, K head width, V
// alphabet.
#pragma once

#include <vector>

#include "poslab/network/configuration.hpp"

namespace poslab::network {

inline constexpr Index rows_per_tile = 128;

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

template <class S>
struct LayerActivations {
  View<S> input, normed1, mean1, scale1;   // [M, D], [M, D], [M], [M]
  View<S> query, key, value;               // [B, H, T, K]; q and k transformed
  View<S> query_before, key_before;        // before `transform`, where that has weights and gradients are wanted
  View<S> mixed;                           // [M, D]: the heads' outputs side by side
  View<S> middle, normed2, mean2, scale2;  // the stream between the sublayers
  View<S> up, active;                      // [M, F]: before and after GELU
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
  std::vector<LayerActivations<S>> layers;  // one for all, where no gradient is wanted
  View<S> last, normed, mean, scale;        // the stream after all layers
  View<S> logits;                           // [M, V]
  View<S> encoded;                          // [T, D]
  View<S> rows;                             // [M, D], of the tile that is at work
  GradientActivations<S> gradient;

  const LayerActivations<S>& layer(Index l) const {
    return layers[layers.size() == 1 ? 0 : static_cast<std::size_t>(l)];
  }
};

struct ActivationSize {
  Index sequences, length;
  bool gradient, keeps_before;  // keeps_before: q and k before `transform`
};

/// The arrays of a batch of this size in `arena`.
template <class S>
void lay_out(const Configuration& configuration, const ActivationSize& size, Arena<S>& arena, Activations<S>& out);

}  // namespace poslab::network
