// SPDX-License-Identifier: Apache-2.0
// A stack of pre-norm layers over a batch of sequences, layer by layer, forward and backward:
//   x = what the caller begins with + encode
//   in each layer   z = norm(x);  q, k, v = z Wq' + bq, z Wk' + bk, z Wv' + bv;  x += attention(q, k, v) Wo' + bo
//                   x += f(norm(x) Wu' + bu) Wd' + bd             where there is a feed-forward part
// Networks that are trained (network.hpp) are made of one, and so is what experiments ask of untrained layers. Each
// layer comes with its scheme and its arrays, and layers may have different schemes; what these leave out is left out
// (layer.hpp). Rows go by tiles of one size and sums in one order: the numbers do not depend on the number of threads.
// Dimension letters: B sequences, T tokens, D model width, H heads, K head width, F feed-forward width.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "poslab/host/layer_schemes.hpp"
#include "poslab/network/layer.hpp"

namespace poslab::network {

/// Sees the attention [H, Nq, Nk] of some queries of one sequence; called from several threads at once.
template <class S>
using StackVisitor = std::function<void(Index sequence, Index first_query, View<const S> attention)>;

/// What the layers of a stack have in common.
struct StackOptions {
  Index model_width = 0, heads = 1;  ///< D, H
  Index feed_forward = 0;            ///< F; 0: attention alone
  Index train_length = 0;            ///< as schemes are told
  bool causal = true;
  bool residual = true;  ///< what a sublayer makes is added to its input; else it replaces it
  Norm norm = Norm::layer;
  double epsilon = norm_epsilon;  ///< of the norms
  Activation activation = Activation::relu;
};

/// The largest batch, and what is kept of it for a backward pass.
struct StackCapacity {
  Index sequences = 1, length = 1;
  Index kept_layers = 0;          ///< 0: no backward pass, and any number of layers
  bool weight_gradients = false;  ///< a backward pass gives those by weights of schemes, too
};

/// What the attention of a layer was made from.
template <class S>
struct AttentionInputs {
  View<const S> query, key;   ///< [B, H, T, K], as transformed
  View<const S> layer_input;  ///< [B, T, D]: norm(x)
};

template <class S>
class Stack {
 public:
  /// Takes all its memory but scratch of threads. `schemes`: those of its layers.
  Stack(const StackOptions& options, const host::LayerSchemes& schemes, const StackCapacity& capacity);
  Stack(const Stack&) = delete;
  ~Stack();
  /// What it takes.
  static double bytes(const StackOptions& options, const host::LayerSchemes& schemes, const StackCapacity& capacity);

  /// Begins with a batch at `positions` [T, A] of every sequence, which must outlive its passes. Returns the stream
  /// [B, T, D], which is the caller's to fill.
  View<S> begin(Index sequences, Index length, host::Positions positions);
  /// The stream before the first layer gains the codes of a scheme, if it has some.
  void encode(const host::Scheme* scheme, const std::vector<View<const S>>& scheme_weights);
  /// The same for each scheme of a stack, once and with the weights of its first layer: models add codes to their
  /// embeddings, whichever layers the scheme stands in.
  void encode(const host::LayerWeights<S>& weights);
  /// Runs the next layer; `visit`, if given, sees its attention.
  void step(const StackLayer<S>& layer, const StackVisitor<S>& visit = {});
  /// Runs only the attention of the next layer, for a last layer that nothing follows.
  void look(const StackLayer<S>& layer, const StackVisitor<S>& visit);

  /// [B, T, D]: the residual stream after as many layers as were run.
  View<const S> stream() const;
  /// The inputs of the last layer that was run or looked at; good until the next.
  AttentionInputs<S> attention_inputs() const;

  /// Where there is a backward pass: [B, T, D], the gradient by the stream after a layer, which is the caller's to
  /// fill, and which `back` makes that by the stream before it. Another array after each `back`.
  View<S> gradient();
  /// Back through layer l. The gradients by its arrays are ADDED to `gradients`, where these are not empty.
  void back(Index l, const StackLayer<S>& layer, const LayerOf<View<S>>& gradients = {});
  /// Back through `encode`: gradients by the scheme's weights are ADDED to `weight_gradients`.
  void encode_back(const host::Scheme* scheme, const std::vector<View<const S>>& scheme_weights,
                   const std::vector<View<S>>& weight_gradients);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace poslab::network
