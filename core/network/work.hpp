// SPDX-License-Identifier: Apache-2.0
// What a network works with: its layers' passes, forward and backward.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>
#include <vector>

#include "activations.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/network/network.hpp"

namespace poslab::network {

/// body(first, count): rows in tiles of one size, whatever the number of threads.
template <class Body>
void for_each_row_tile(Index rows, const Body& body) {
  tbb::parallel_for(
      Index{0}, (rows + rows_per_tile - 1) / rows_per_tile,
      [&](Index tile) {
        const Index first = tile * rows_per_tile;
        body(first, std::min(rows_per_tile, rows - first));
      },
      tbb::simple_partitioner());
}

/// A product that is a part of a weight gradient: dweight += dy^T x.
template <class S>
struct WeightGradient {
  View<const S> dy, x;
  LinearIndices indices;
};

template <class S>
struct Network<S>::Work {
  Work(const Configuration& configuration_, const host::Scheme* scheme_, const Layout& layout_,
       const Capacity& capacity);

  std::span<const TokenLoss> forward(const Parameters<S>& parameters, const Batch& batch,
                                     const AttentionVisitor<S>& visit, bool with_gradient);
  void backward(const Parameters<S>& parameters, const Batch& batch, Parameters<S>& gradient);

  void begin(const Batch& batch);
  void embed(const Parameters<S>& parameters, const Batch& batch);
  void layer_forward(Index l, const Parameters<S>& parameters, const AttentionVisitor<S>& visit);
  void project(const LayerIndices& indices, const Parameters<S>& parameters, const LayerActivations<S>& a);
  void head(const Parameters<S>& parameters, const Batch& batch, bool with_gradient);

  void head_backward(const Parameters<S>& parameters, Parameters<S>& gradient);
  void layer_backward(Index l, const Parameters<S>& parameters, Parameters<S>& gradient);
  void feed_forward_backward(const LayerIndices& indices, const Parameters<S>& parameters,
                             const LayerActivations<S>& a);
  void attention_backward(Index l, const Parameters<S>& parameters, Parameters<S>& gradient);
  void projections_backward(const LayerIndices& indices, const Parameters<S>& parameters, const LayerActivations<S>& a);
  void embed_backward(const Parameters<S>& parameters, const Batch& batch, Parameters<S>& gradient);
  void add_weight_gradients(std::span<const WeightGradient<S>> products, Parameters<S>& gradient);
  void add_norm_gradients(Index which, const NormIndices& indices, Parameters<S>& gradient);
  View<S> norm_sums(Index first_row, Index which) const;

  attention::Layer<S> attention_layer(Index l, const Parameters<S>& parameters) const;
  View<S> by_sequence(View<S> rows) const { return {rows.data, {at.sequences, at.length, rows.shape[1]}}; }
  bool has(host::Operation operation) const { return scheme && scheme->has(operation); }
  Index rows() const { return at.sequences * at.length; }

  Configuration configuration;
  const host::Scheme* scheme;
  const Layout& layout;
  bool keeps_before;
  Capacity capacity;
  Array<S> block;
  Activations<S> at;
  attention::BatchAttention<S> attention;
  Array<double> consecutive;  // [T, 1]: positions 0, 1, ...
  host::Positions positions;  // of the batch
  Array<S> vectors;           // [M, W] of the batch, where there are such
  View<const S> vector_rows() const { return {vectors.data(), {rows(), configuration.vector_width}}; }
  std::vector<double> factors;    // [M]: of each token's loss in the mean
  std::vector<TokenLoss> losses;  // [M]
};

}  // namespace poslab::network
