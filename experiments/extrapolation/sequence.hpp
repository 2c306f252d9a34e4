// SPDX-License-Identifier: Apache-2.0
// Random contents with a scheme's positions in one context, and the logits of some of their queries.
// Identity projections: a query is its content, plus the encoding of its position where the scheme has one; keys alike.
// Dimension letters: N positions, D model width, H heads, K head width, Nq queries of a batch, Nk keys.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "measured_positions.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::extrapolation {

/// Contents [N, D] of one purpose, of which any row can be drawn by itself.
class Contents {
 public:
  Contents(const data::Draws& draws, const char* purpose, Index length, Index width)
      : stream_(draws.contents(purpose, {length, width})), width_(width) {}
  /// out [D]: content of the position.
  template <class S>
  void row(Index position, S* out) const {
    Array<double> drawn{width_};
    stream_.fill_normal(drawn, static_cast<std::uint64_t>(position * width_));
    for (Index a = 0; a < width_; ++a) out[a] = static_cast<S>(drawn(a));
  }

 private:
  base::Stream stream_;
  Index width_;
};

/// The keys' contents of positions 0 .. length - 1: [length, D].
template <class S>
Array<S> draw_keys(const Contents& contents, Index length, Index width);

/// The unmasked logits of some queries, each with the keys before it and others that it does not see.
template <class S>
class QueryBatch {
 public:
  QueryBatch(std::vector<Index> key_positions, Array<S> logits)
      : key_positions_(std::move(key_positions)), logits_(std::move(logits)) {}
  Index heads() const { return logits_.extent(0); }
  /// seen <- the logits in head h of query i, at `position`, for the keys 0 .. position, in no order of meaning.
  void visible(Index h, Index i, Index position, std::vector<double>& seen) const;

 private:
  std::vector<Index> key_positions_;  // [Nk]
  Array<S> logits_;                   // [H, Nq, Nk]
};

template <class S>
class Sequence {
 public:
  /// `keys` [>= served, D] before any position; `queries` of every position.
  Sequence(const host::Scheme& scheme, const host::Context& context, std::vector<View<const S>> weights,
           View<const S> keys, const Contents& queries);

  /// Logits of the queries at these positions, ascending, in one tile: a scheme that projects its offsets does so once.
  /// A tile is of neighbours among the keys, so the keys at these positions are put last.
  QueryBatch<S> logits(std::span<const Index> positions) const;

 private:
  Array<S> queries_at(std::span<const Index> positions) const;
  std::vector<Index> key_order(std::span<const Index> positions) const;
  void add_positions(const Array<S>& queries, const std::vector<Index>& order, double scale, Array<S>& logits) const;

  const host::Scheme* scheme_;
  host::Context context_;
  std::vector<View<const S>> weights_;
  const Contents* query_contents_;
  Array<double> positions_;  // [N, 1]: those that the scheme serves
  Array<S> layer_input_;     // [N, D]: contents with the encoding
  Array<S> keys_;            // [H, N, K], transformed
};

}  // namespace poslab::experiments::extrapolation
