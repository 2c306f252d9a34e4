// SPDX-License-Identifier: Apache-2.0
// The attention of a batch of sequences with all operations of a scheme, and its gradient:
//   q, k, v <- transform(q), transform(k), transform(v)
//   logits = scale * q.k + bias, then score, the mask;  attention = softmax(logits);  out = transform(attention . v +
//   mix)
// All sequences have the same positions. The work goes by tiles of queries, and in each by lanes: lane i takes the
// sequences i, i + lanes, ... in this order, with scratch and sums of its own, which are added up lane by lane. So the
// numbers do not depend on the number of threads, and nothing of size N x N is kept: a tile of the backward pass makes
// its attention again from q and k. Where there are few sequences, the forward pass has several tiles at work.
// Dimension letters: B sequences, H heads, N positions, K head width, D = H K model width, Nq queries of a tile, Nk
// keys that they see.
#pragma once

#include <functional>
#include <vector>

#include "poslab/attention/attention.hpp"

namespace poslab::attention {

/// Whether the plugin offers the gradient of every operation that the scheme has, so that one can go back through it.
bool has_gradients(const host::Scheme& scheme);

/// The largest batch that is coming.
struct BatchSize {
  Index sequences = 1, heads = 1, length = 1, head_width = 1;
};

/// Which gradients a backward pass gives: those by inputs alone, or those by the weights of schemes, too.
enum class Gradient { none, inputs, all };

/// What one layer's attention is made from.
template <class S>
struct BatchContents {
  View<const S> query, key;   ///< [B, H, N, K], as transformed
  View<const S> value;        ///< the same; empty where only the attention is asked for
  View<const S> layer_input;  ///< [B, N, D]: what the layer's projections saw
  /// Before `transform`; only for its gradient, where it has weights.
  View<const S> query_before = {}, key_before = {}, value_before = {};
};

template <class S>
struct BatchGradients {
  View<S> query, key, value;  ///< [B, H, N, K] overwritten: by the query, key and value before `transform`
  View<S> layer_input;        ///< [B, N, D] added to, by what `score` makes of it
};

struct BatchTile;  // batch_tiles.hpp

template <class S>
class BatchAttention {
 public:
  /// Takes all its memory at once. `scheme`: null for attention without positions.
  BatchAttention(const host::Scheme* scheme, const BatchSize& largest, Gradient gradient);
  /// The numbers of S that it takes, at most.
  static double numbers(const host::Scheme* scheme, const BatchSize& largest, Gradient gradient);

  /// query, key and value [B, H, N, K] in place; no value where only the attention is asked for.
  void transform(const Layer<S>& layer, View<S> query, View<S> key, View<S> value = {});
  /// out [B, N, D] overwritten, the heads side by side; not touched where there are no values.
  void forward(const Layer<S>& layer, const BatchContents<S>& contents, View<S> out,
               const AttentionVisitor<S>& visit = {});
  /// From the gradient by out [B, N, D]. `weight_gradients` of the scheme, in declared order, are added to; none are
  /// given where they are not wanted.
  void backward(const Layer<S>& layer, const BatchContents<S>& contents, View<const S> out_gradient,
                const BatchGradients<S>& gradients, std::span<const View<S>> weight_gradients);

 private:
  struct Lane {
    Array<S> attention, attention_gradient, bias_gradient;  // [H, Nq, N]
    Array<S> query, query_gradient, rows, mixed;            // [H, Nq, K]
    Array<S> key, key_gradient;                             // [H, N, K]
    std::vector<Array<S>> weight_gradients;
    std::vector<View<S>> weight_gradient_views;  // of these, as the scheme takes them
  };
  // What works on a tile: the bias [H, Nq, N], one for all sequences, and the lanes.
  struct Strip {
    Array<S> bias;
    std::vector<Lane> lanes;
  };
  Strip make_strip(Index lanes, bool with_gradient) const;
  void make_bias(const Layer<S>& layer, const BatchTile& tile, Strip& strip) const;
  View<S> attention_of(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile, Index sequence,
                       const Strip& strip, Lane& lane) const;
  void forward_tile(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile, Strip& strip,
                    View<S> out, const AttentionVisitor<S>& visit) const;
  void mix_values(const Layer<S>& layer, const BatchTile& tile, View<const S> attention, View<const S> values,
                  View<S> out) const;
  void output_backward(const Layer<S>& layer, const BatchTile& tile, View<const S> attention, View<const S> values,
                       Lane& lane, View<S> gradient) const;
  void backward_tile(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile, Index sequence,
                     Lane& lane, View<const S> out_gradient, const BatchGradients<S>& gradients);
  void score_backward(const Layer<S>& layer, const BatchContents<S>& contents, const BatchTile& tile, Index sequence,
                      Lane& lane, View<const S> logits_gradient, const BatchGradients<S>& gradients);
  void transform_backward(const Layer<S>& layer, const BatchContents<S>& contents, const BatchGradients<S>& gradients);
  void add_up_bias(const Layer<S>& layer, const BatchTile& tile, Index lanes,
                   std::span<const View<S>> weight_gradients);
  bool transforms(host::Side side) const { return scheme_ && scheme_->transforms(side); }
  bool has(host::Operation operation) const { return scheme_ && scheme_->has(operation); }

  const host::Scheme* scheme_;
  BatchSize largest_;
  Index heads_, head_width_;
  bool bias_learns_ = false, lanes_learn_ = false;  // whether weights get gradients by `bias`, by the others
  Array<S> bias_gradient_;                          // [H, Nq, N]: one for all sequences
  Strip strip_;                                     // that of a backward pass, and of a forward pass the first
};

}  // namespace poslab::attention
