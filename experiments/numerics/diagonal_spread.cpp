// SPDX-License-Identifier: Apache-2.0
// Tiles of a product, folded into extremes of diagonals while they are in the cache.
#include "poslab/numerics/diagonal_spread.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "diagonal_extremes.hpp"
#include "eigen.hpp"

namespace poslab::numerics {
namespace {

// A tile of products fits the second-level cache. Eigen cuts longer sums at places that depend on the first-level cache
// (evaluateProductBlockingSizesHeuristic): sums of this many columns it does not cut, so bits do not depend on caches.
constexpr Index tile = 256, columns_at_once = 128;

// product [M, N] = left [M, W] right [N, W]^T
template <class S>
void multiply(const S* left, Index M, const S* right, Index N, Index W, S* product) {
  Eigen::Map<RowMajor<S>> out(product, M, N);
  out.setZero();
  for (Index k = 0; k < W; k += columns_at_once) {
    const Index count = std::min(columns_at_once, W - k);
    const ConstStridedMatrix<S> a(left + k, M, count, Eigen::OuterStride<>(W));
    const ConstStridedMatrix<S> b(right + k, N, count, Eigen::OuterStride<>(W));
    out.noalias() += a * b.transpose();
  }
}

// All tiles whose first column stands `apart` tiles right of their first row.
template <class S>
struct TileDiagonal {
  Index head, apart;
  DiagonalExtremes<S> extremes{2 * tile - 1};  // diagonal tile - 1 is n - m = apart * tile
  double squares = 0;

  void run(View<const S> left, View<const S> right, bool is_symmetric, S* product) {
    const Index N = left.shape[1], W = left.shape[2];
    for (Index first_m = std::max<Index>(0, -apart * tile); first_m < N; first_m += tile) {
      const Index first_n = first_m + apart * tile;
      if (first_n >= N) break;
      const Index rows = std::min(tile, N - first_m), columns = std::min(tile, N - first_n);
      multiply(left[head].data + first_m * W, rows, right[head].data + first_n * W, columns, W, product);
      for (Index m = 0; m < rows; ++m) {
        const S* row = product + m * columns;
        extremes.add_row(tile - 1 - m, row, columns);
        squares += sum_of_squares(row, columns) * (is_symmetric && apart > 0 ? 2 : 1);
      }
    }
  }
};

template <class S>
DiagonalSpread summarise(const std::vector<DiagonalExtremes<S>>& of_heads, Index positions, bool is_symmetric) {
  const Index diagonals = 2 * positions - 1;
  DiagonalSpread out;
  for (Index offset = 0; offset < diagonals; ++offset) {
    // Diagonals are kept by n - m, offsets are m - n. A symmetric product fills those with n >= m.
    const Index mirrored = diagonals - 1 - offset;
    const Index diagonal = is_symmetric ? std::max(offset, mirrored) : mirrored;
    double largest = 0;
    for (const DiagonalExtremes<S>& extremes : of_heads) largest = std::max(largest, extremes.spread(diagonal));
    out.spread.push_back(largest);
  }
  return out;
}

}  // namespace

double DiagonalSpread::largest() const { return spread.empty() ? 0 : *std::max_element(spread.begin(), spread.end()); }

template <class S>
DiagonalSpread diagonal_spread(View<const S> left, View<const S> right) {
  const Index H = left.shape[0], N = left.shape[1];
  if (N == 0 || H == 0) return {};
  const bool is_symmetric = left.data == right.data;
  const Index tiles = (N + tile - 1) / tile;
  std::vector<TileDiagonal<S>> parts;
  for (Index apart = 0; apart < tiles; ++apart)  // the longest first
    for (Index head = 0; head < H; ++head) {
      parts.push_back({head, apart});
      if (apart > 0 && !is_symmetric) parts.push_back({head, -apart});
    }
  tbb::enumerable_thread_specific<base::Array<S>> products([] { return base::Array<S>{tile, tile}; });
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, parts.size(), 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t part = range.begin(); part < range.end(); ++part)
          parts[part].run(left, right, is_symmetric, products.local().data());
      },
      tbb::simple_partitioner());

  // The last diagonals of a tile may lie beyond the corner, where nothing was added: hence the room of one tile around.
  std::vector<DiagonalExtremes<S>> of_heads(static_cast<std::size_t>(H), DiagonalExtremes<S>(2 * (N + tile) - 1));
  std::vector<DiagonalExtremes<S>> trimmed(static_cast<std::size_t>(H), DiagonalExtremes<S>(2 * N - 1));
  double squares = 0;
  for (const TileDiagonal<S>& part : parts) {
    of_heads[static_cast<std::size_t>(part.head)].merge(N + tile - 1 + part.apart * tile - (tile - 1), part.extremes);
    squares += part.squares;
  }
  DiagonalSpread out = summarise(of_heads, N + tile, is_symmetric);
  out.spread = std::vector<double>(out.spread.begin() + tile, out.spread.end() - tile);
  out.mean_square = squares / (static_cast<double>(H) * static_cast<double>(N) * static_cast<double>(N));
  return out;
}

}  // namespace poslab::numerics
