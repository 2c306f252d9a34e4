// SPDX-License-Identifier: Apache-2.0
// Tiles of a product, folded into extremes of diagonals while they are in the cache.
#include "poslab/numerics/diagonal_spread.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "diagonals.hpp"
#include "poslab/numerics/inner_product.hpp"
#include "poslab/numerics/products.hpp"
#include "score_rows.hpp"

namespace poslab::numerics {
using base::at;
namespace {

// A tile of products fits the second-level cache. Where Eigen cuts longer sums depends on the first-level cache
// (evaluateProductBlockingSizesHeuristic): sums of this many columns it does not cut, so bits do not depend on caches.
constexpr Index tile = 256, columns_at_once = 128;

// product [M, N] = left [M, W] right [N, W]^T
template <class S>
void multiply_in_parts(const S* left, Index M, const S* right, Index N, Index W, S* product) {
  std::fill_n(product, M * N, S(0));
  for (Index k = 0; k < W; k += columns_at_once) {
    const Index count = std::min(columns_at_once, W - k);
    add_products_of_rows<S>({left + k, M, count, W}, {right + k, N, count, W}, product);
  }
}

// All tiles whose first column is `apart` tiles right of their first row.
template <class S>
struct TileDiagonal {
  Index head, copies, apart;                   // `copies` heads have the factors of `head`
  DiagonalExtremes<S> extremes{2 * tile - 1};  // diagonal tile - 1 is n - m = apart * tile
  double squares = 0;

  void run(View<const S> left, View<const S> right, bool is_symmetric, Pairs pairs, S* product) {
    const Index N = left.shape[1], W = left.shape[2];
    for (Index first_m = std::max<Index>(0, -apart * tile); first_m < N; first_m += tile) {
      const Index first_n = first_m + apart * tile;
      if (first_n >= N) break;
      const Index rows = std::min(tile, N - first_m), columns = std::min(tile, N - first_n);
      multiply_in_parts(left[head].data + first_m * W, rows, right[head].data + first_n * W, columns, W, product);
      for (Index m = 0; m < rows; ++m) {
        const S* row = product + m * columns;
        const Index seen = pairs == Pairs::causal && apart == 0 ? m + 1 : columns;
        extremes.add_row(tile - 1 - m, row, seen);
        squares += sum_of_squares(row, seen) * static_cast<double>((is_symmetric && apart > 0 ? 2 : 1) * copies);
      }
    }
  }
};

// Diagonals are kept by n - m = -(N-1) .. N-1, offsets are m - n; with `is_symmetric` only those with n >= m count.
template <class S>
std::vector<double> spreads(const std::vector<DiagonalExtremes<S>>& of_heads, bool is_symmetric) {
  const Index diagonals = of_heads.front().diagonals();
  std::vector<double> out;
  for (Index offset = 0; offset < diagonals; ++offset) {
    const Index mirrored = diagonals - 1 - offset, diagonal = is_symmetric ? std::max(offset, mirrored) : mirrored;
    double largest = 0;
    for (const DiagonalExtremes<S>& extremes : of_heads) largest = std::max(largest, extremes.spread(diagonal));
    out.push_back(largest);
  }
  return out;
}

template <class S>
std::vector<DiagonalExtremes<S>> empty_extremes(Index heads, Index positions) {
  return std::vector<DiagonalExtremes<S>>(static_cast<std::size_t>(heads), DiagonalExtremes<S>(2 * positions - 1));
}

}  // namespace

double count_of(Pairs pairs, Index N) {
  const auto all = static_cast<double>(N);
  return pairs == Pairs::causal ? all * (all + 1) / 2 : all * all;
}

double DiagonalSpread::largest() const { return spread.empty() ? 0 : *std::max_element(spread.begin(), spread.end()); }

template <class S>
DiagonalSpread diagonal_spread(View<const S> left, View<const S> right, Pairs pairs) {
  const Index H = left.shape[0], N = left.shape[1];
  if (N == 0 || H == 0) return {};
  const bool is_causal = pairs == Pairs::causal;
  const bool is_symmetric =
      !is_causal && (left.data == right.data || std::equal(left.begin(), left.end(), right.begin()));
  const Index tiles = (N + tile - 1) / tile;
  const std::vector<DifferentHead> heads = different_heads(left, right);
  std::vector<TileDiagonal<S>> parts;
  for (Index apart = 0; apart < tiles; ++apart)  // the longest first
    for (const auto& [head, copies] : heads) {
      if (apart == 0 || !is_causal) parts.push_back({head, copies, apart});
      if (apart > 0 && !is_symmetric) parts.push_back({head, copies, -apart});
    }
  tbb::enumerable_thread_specific<base::Array<S>> products([] { return base::Array<S>{tile, tile}; });
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, parts.size(), 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t part = range.begin(); part < range.end(); ++part)
          parts[part].run(left, right, is_symmetric, pairs, products.local().data());
      },
      tbb::simple_partitioner());

  std::vector<DiagonalExtremes<S>> of_heads = empty_extremes<S>(H, N);  // those of copies stay empty
  double squares = 0;
  for (const TileDiagonal<S>& part : parts) {
    of_heads[at(part.head)].merge(N - 1 + part.apart * tile - (tile - 1), part.extremes);
    squares += part.squares;
  }
  return {spreads(of_heads, is_symmetric), squares / (static_cast<double>(H) * count_of(pairs, N))};
}

template <class S>
DiagonalSpread diagonal_spread(Index heads, Index positions, const ScoreRows<S>& rows, Index numbers_at_once,
                               Pairs pairs) {
  const Index H = heads, N = positions;
  if (N == 0 || H == 0) return {};
  using OfHeads = std::vector<DiagonalExtremes<S>>;
  tbb::enumerable_thread_specific<OfHeads> of_threads([&] { return empty_extremes<S>(H, N); });
  const double mean_square = fold_score_rows<S>(H, N, pairs, rows, numbers_at_once, of_threads,
                                                [&](OfHeads& extremes, Index h, Index m, const S* row, Index count) {
                                                  extremes[at(h)].add_row(N - 1 - m, row, count);
                                                });
  OfHeads of_heads = empty_extremes<S>(H, N);
  for (const OfHeads& extremes : of_threads)
    for (Index h = 0; h < H; ++h) of_heads[at(h)].merge(0, extremes[at(h)]);
  return {spreads(of_heads, false), mean_square};
}

template DiagonalSpread diagonal_spread(View<const double>, View<const double>, Pairs);
template DiagonalSpread diagonal_spread(View<const float>, View<const float>, Pairs);
template DiagonalSpread diagonal_spread(Index, Index, const ScoreRows<double>&, Index, Pairs);
template DiagonalSpread diagonal_spread(Index, Index, const ScoreRows<float>&, Index, Pairs);

}  // namespace poslab::numerics
