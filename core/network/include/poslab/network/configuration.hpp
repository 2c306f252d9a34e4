// SPDX-License-Identifier: Apache-2.0
// What a network is, apart from its scheme.
#pragma once

#include "poslab/base/array.hpp"

namespace poslab::network {

using base::Array;
using base::Index;
using base::View;

enum class Norm { layer, rms };
/// relu: max(x, 0). gelu_tanh: x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))); gelu_exact: x Phi(x). Hendrycks and
/// Gimpel, arXiv:1606.08415.
enum class Activation { relu, gelu_tanh, gelu_exact };

/// scheme: what the scheme declares. one: x = E[token]. sqrt_width: x = sqrt(D) E[token], E drawn with deviation
/// 1 / sqrt(D) (Vaswani et al. 2017, section 3.4; tensor2tensor).
enum class EmbeddingScale { scheme, one, sqrt_width };

/// Added to the variance, or the mean square, before its root.
inline constexpr double norm_epsilon = 1e-5;

/// A Transformer whose norms stand before its sublayers (pre-norm).
struct Configuration {
  Index vocabulary = 64;     ///< V
  Index vector_width = 0;    ///< W: 0 where tokens are embedded, else the width of the vectors that come instead
  Index model_width = 128;   ///< D
  Index heads = 4;           ///< H
  Index layers = 2;          ///< L
  Index feed_forward = 512;  ///< F
  Index train_length = 64;   ///< tokens that the network is trained on
  bool causal = true;        ///< a decoder; else an encoder
  Norm norm = Norm::layer;
  Activation activation = Activation::gelu_tanh;
  bool tied = false;   ///< the head is the token embedding
  bool biases = true;  ///< of linear layers and layer norms
  EmbeddingScale embedding_scale = EmbeddingScale::scheme;
  double init_std = 0.02;  ///< of initial matrices; of those that end in the residual stream, over sqrt(2 L)
  Index head_width() const { return model_width / heads; }  ///< K
};

}  // namespace poslab::network
