// SPDX-License-Identifier: Apache-2.0
// What a stack works with: its passes, forward and backward.
#pragma once

#include <list>

#include "activations.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/network/layers.hpp"
#include "poslab/network/stack.hpp"
#include "tiles.hpp"

namespace poslab::network {

template <class S>
struct Stack<S>::Work {
  Work(const StackOptions& options_, const host::LayerSchemes& schemes, const StackCapacity& capacity_);

  // forward.cpp
  void encode(const host::Scheme* scheme, const std::vector<View<const S>>& scheme_weights);
  void attend(Index l, const StackLayer<S>& layer, bool with_values, const StackVisitor<S>& visit);
  void project(const StackLayer<S>& layer, const LayerActivations<S>& a, bool with_values);
  void write_sublayers(Index l, const StackLayer<S>& layer);
  void feed_forward(const StackLayer<S>& layer, const LayerActivations<S>& a, Index first, Index count, View<S> out);

  // backward.cpp
  void back(Index l, const StackLayer<S>& layer, const LayerOf<View<S>>& gradients);
  void sublayers_backward(const StackLayer<S>& layer, const LayerActivations<S>& a, const LayerOf<View<S>>& gradients);
  void attention_backward(Index l, const StackLayer<S>& layer, const LayerOf<View<S>>& gradients);
  void projections_backward(const StackLayer<S>& layer, const LayerActivations<S>& a,
                            const LayerOf<View<S>>& gradients);
  void encode_back(const host::Scheme* scheme, const std::vector<View<const S>>& scheme_weights,
                   const std::vector<View<S>>& weight_gradients);

  bool is_kept() const { return capacity.kept_layers > 0; }
  Normalisation normalisation() const { return {options.norm, options.epsilon}; }
  host::Context context() const { return {at.length, options.train_length, options.causal}; }
  /// Good until the next call.
  const attention::Layer<S>& attention_layer(Index l, const StackLayer<S>& layer) {
    here.scheme = layer.scheme, here.context = context(), here.positions = positions, here.index = l;
    here.weights = layer.arrays.scheme;  // into the memory of the layer before
    return here;
  }
  attention::BatchAttention<S>& attention_of(const host::Scheme* scheme);
  attention::BatchContents<S> contents(const LayerActivations<S>& a) const {
    return {a.query, a.key, a.value, by_sequence(a.normed1), a.query_before, a.key_before, a.value_before};
  }
  View<S> by_sequence(View<S> rows) const { return {rows.data, {at.sequences, at.length, rows.shape[1]}}; }
  Index rows() const { return at.sequences * at.length; }

  struct OfScheme {
    const host::Scheme* scheme;
    attention::BatchAttention<S> attention;
  };
  StackOptions options;
  StackCapacity capacity;
  ActivationSize largest;
  attention::Layer<S> here;
  Array<S> block;
  Activations<S> at;
  std::list<OfScheme> attentions;  // of each scheme once
  host::Positions positions;       // of the batch
  Index done = 0;                  // layers that were run
  Index seen = 0;                  // layer that was run or looked at last
};

}  // namespace poslab::network
