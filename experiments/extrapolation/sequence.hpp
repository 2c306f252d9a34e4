// SPDX-License-Identifier: Apache-2.0
// Random contents with a scheme's positions in one context, or without, and the logits of some of their queries.
// Identity projections: a query is its content, plus the encoding of its position where the scheme has one; keys alike.
// A scheme that leaves the usual scale out of its logits has it in the query projection instead, as it would be drawn:
// so contents alone give logits of variance 1, whatever the scheme.
// Dimension letters: N positions, D model width, H heads, K head width, Nq queries of a batch, Nk keys.
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "measured_positions.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::extrapolation {

/// Contents [N, D] of one purpose, of which any row can be drawn by itself.
class Contents {
 public:
  Contents(const data::Draws& draws, const char* purpose, Index length, Index width)
      : stream_(draws.contents(purpose, {length, width})), width_(width) {}
  /// One content, the same at every position.
  static Contents equal(const data::Draws& draws, const char* purpose, Index width) {
    Contents contents(draws, purpose, 1, width);
    contents.of_all_ = contents.drawn(0);
    return contents;
  }
  /// out [D]: content of the position.
  template <class S>
  void row(Index position, S* out) const {
    const Array<double> own = of_all_.size() > 0 ? Array<double>() : drawn(position);
    const Array<double>& content = of_all_.size() > 0 ? of_all_ : own;
    for (Index a = 0; a < width_; ++a) out[a] = static_cast<S>(content(a));
  }

 private:
  Array<double> drawn(Index position) const {
    Array<double> numbers{width_};
    stream_.fill_normal(numbers, static_cast<std::uint64_t>(position * width_));
    return numbers;
  }

  base::Stream stream_;
  Index width_;
  Array<double> of_all_ = {};  // [D]: the content of every position, or empty
};

enum class With { positions, nothing };  // `nothing`: the scheme is left out

/// The keys' contents of positions 0 .. length - 1: [length, D].
template <class S>
Array<S> draw_keys(const Contents& contents, Index length, Index width);

/// The unmasked logits of some queries, each with the keys before it and others that it does not see.
template <class S>
class QueryBatch {
 public:
  /// `others` keys come first, then those of the queries; either in rising order.
  QueryBatch(std::vector<Index> key_positions, std::ptrdiff_t others, Array<S> logits)
      : key_positions_(std::move(key_positions)), others_(others), logits_(std::move(logits)) {}
  Index heads() const { return logits_.extent(0); }
  /// seen <- the logits in head h of query i, at `position`, for the keys 0 .. position, in no order of meaning.
  void visible(Index h, Index i, Index position, std::vector<double>& seen) const;
  /// The logit in head h of query i for its own key.
  double own(Index h, Index i, Index position) const;

 private:
  std::vector<Index> key_positions_;  // [Nk]
  std::ptrdiff_t others_;
  Array<S> logits_;  // [H, Nq, Nk]
};

template <class S>
class Sequence {
 public:
  /// `keys` [>= served, D] before any position; `queries` of every position.
  Sequence(const host::Scheme& scheme, With with, const host::Context& context, std::vector<View<const S>> weights,
           View<const S> keys, const Contents& queries);

  /// Logits of the queries at these positions, ascending, in one tile: a scheme that projects its offsets does so once.
  /// A tile is of neighbours among the keys, so the keys at these positions are put last.
  QueryBatch<S> logits(std::span<const Index> positions) const;

  /// Whether a logit is scale * q.k, so that the mean over keys is that of q and a mean of keys.
  bool is_product() const { return !has(host::Operation::bias) && !has(host::Operation::score); }
  /// Mean over heads and the keys 0 .. p of the logits of the query at each of these positions, ascending. O(N D).
  std::vector<double> mean_logits_of_products(std::span<const Index> positions) const;
  /// Mean over heads of the logits of these queries for their own keys, of products, too.
  std::vector<double> own_logits_of_products(std::span<const Index> positions) const;

 private:
  bool has(host::Operation operation) const { return with_ == With::positions && scheme_->has(operation); }
  double usual_scale() const { return 1 / std::sqrt(static_cast<double>(scheme_->model().head_width())); }
  double scale() const { return with_ == With::positions ? scheme_->logit_scale() : usual_scale(); }
  void add_encoding(host::Positions positions, Array<S>& x) const;
  Array<S> queries_at(std::span<const Index> positions) const;
  std::vector<Index> key_order(std::span<const Index> positions) const;
  void add_positions(const Array<S>& queries, const std::vector<Index>& order, Array<S>& logits) const;

  const host::Scheme* scheme_;
  With with_;
  host::Context context_;
  std::vector<View<const S>> weights_;
  const Contents* query_contents_;
  Array<double> positions_;  // [N, 1]: those that the scheme serves
  Array<S> layer_input_;     // [N, D]: contents with the encoding
  Array<S> keys_;            // [H, N, K], transformed
};

}  // namespace poslab::experiments::extrapolation
