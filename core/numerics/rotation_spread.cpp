// SPDX-License-Identifier: Apache-2.0
// The spread of diagonals where a certificate says that only rounding spreads them: some rows against all.
// Dimension letters: N positions, M chosen rows, H heads, W width of the factors.
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "diagonals.hpp"
#include "poslab/numerics/diagonal_spread.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::numerics {
using base::at;
namespace {

constexpr Index chosen_rows = 64, columns_of_tile = 256, summed_at_once = 128;  // as in diagonal_spread.cpp

template <class S>
bool rotate_alike(View<const S> left, View<const S> right, const RotationClaim& claim) {
  const std::optional<Rotation> one = certify(left, claim);
  if (!one) return false;
  if (std::equal(left.begin(), left.end(), right.begin())) return true;
  const std::optional<Rotation> other = certify(right, claim);
  return other && one->in_halves == other->in_halves && one->direction == other->direction;
}

// Rows spread evenly over [N, W], both ends among them.
template <class S>
struct ChosenRows {
  std::vector<Index> which;
  base::Array<S> rows;  // [M, W]

  explicit ChosenRows(View<const S> all) {
    const Index N = all.shape[0], W = all.stride(), M = std::min(N, chosen_rows);
    rows = base::Array<S>{M, W};
    for (Index m = 0; m < M; ++m) {
      which.push_back(M == 1 ? 0 : m * (N - 1) / (M - 1));
      std::copy_n(all.data + which.back() * W, W, &rows(m, 0));
    }
  }
};

// Extremes of the scores of chosen rows with all rows of `right` [N, W]; diagonal N - 1 is offset 0.
template <class S>
DiagonalExtremes<S> extremes_of_chosen(const ChosenRows<S>& chosen, View<const S> right) {
  const Index N = right.shape[0], W = right.stride(), M = chosen.rows.extent(0);
  struct Scratch {
    base::Array<S> product;
    DiagonalExtremes<S> extremes;
  };
  tbb::enumerable_thread_specific<Scratch> scratches([&] {
    return Scratch{base::Array<S>{M, columns_of_tile}, DiagonalExtremes<S>(2 * N - 1)};
  });
  const auto add_tile = [&](Index first, Scratch& scratch) {
    const Index columns = std::min(columns_of_tile, N - first);
    S* product = scratch.product.data();
    std::fill_n(product, M * columns, S(0));
    for (Index k = 0; k < W; k += summed_at_once) {
      const Index count = std::min(summed_at_once, W - k);
      add_products_of_rows<S>({chosen.rows.data() + k, M, count, W}, {right.data + first * W + k, columns, count, W},
                              product);
    }
    for (Index m = 0; m < M; ++m)
      scratch.extremes.add_row(N - 1 - chosen.which[at(m)] + first, product + m * columns, columns);
  };
  const Index tiles = (N + columns_of_tile - 1) / columns_of_tile;
  tbb::parallel_for(tbb::blocked_range<Index>(0, tiles, 4), [&](const tbb::blocked_range<Index>& range) {
    for (Index tile = range.begin(); tile < range.end(); ++tile) add_tile(tile * columns_of_tile, scratches.local());
  });
  DiagonalExtremes<S> all(2 * N - 1);
  for (const Scratch& scratch : scratches) all.merge(0, scratch.extremes);
  return all;
}

// rows^T rows [W, W] in double, the same bits on any number of threads: parts are fixed, and added in order.
template <class S>
base::Array<double> gram(View<const S> rows) {
  constexpr Index parts = 16, at_once = 128;
  const Index N = rows.shape[0], W = rows.stride();
  std::vector<base::Array<double>> sums(parts);
  tbb::parallel_for(Index{0}, parts, [&](Index part) {
    base::Array<double> sum{W, W}, exact{at_once, W};
    const Index begin = part * N / parts, end = (part + 1) * N / parts;
    for (Index first = begin; first < end; first += at_once) {
      const Index count = std::min(at_once, end - first);
      for (Index i = 0; i < count * W; ++i) exact.data()[i] = static_cast<double>(rows.data[first * W + i]);
      const Matrix<double> some(exact.data(), count, W, W);
      add_products_of_columns<double>(some, some, 1.0, sum.data());
    }
    sums[at(part)] = std::move(sum);
  });
  for (std::size_t part = 1; part < sums.size(); ++part)
    for (Index i = 0; i < W * W; ++i) sums[0].data()[i] += sums[part].data()[i];
  return std::move(sums[0]);
}

// sum over m, n of <left(m), right(n)>^2 = <left^T left, right^T right>: all pairs, in order N W^2.
template <class S>
double sum_of_squared_scores(View<const S> left, View<const S> right) {
  const base::Array<double> a = gram(left), b = gram(right);
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

}  // namespace

template <class S>
std::optional<DiagonalSpread> diagonal_spread_of_rotated(View<const S> left, View<const S> right,
                                                         const RotationClaim& claim) {
  const Index H = left.shape[0], N = left.shape[1];
  if (H == 0 || N < 2 || claim.copies != 1) return {};
  const std::vector<DifferentHead> heads = different_heads(left, right);
  for (const auto& [head, copies] : heads)
    if (!rotate_alike<S>(left[head], right[head], claim)) return {};
  DiagonalSpread found{std::vector<double>(static_cast<std::size_t>(2 * N - 1), 0.0), 0};
  for (const auto& [head, copies] : heads) {
    const DiagonalExtremes<S> extremes = extremes_of_chosen(ChosenRows<S>(left[head]), right[head]);
    const bool is_symmetric = std::equal(left[head].begin(), left[head].end(), right[head].begin());
    // Diagonals are kept by n - m, offsets are m - n.
    for (Index offset = 0; offset < 2 * N - 1; ++offset) {
      double& spread = found.spread[at(offset)];
      spread = std::max(spread, extremes.spread(2 * N - 2 - offset));
      if (is_symmetric) spread = std::max(spread, extremes.spread(offset));
    }
    found.mean_square += static_cast<double>(copies) * sum_of_squared_scores<S>(left[head], right[head]) /
                         (static_cast<double>(H) * static_cast<double>(N) * static_cast<double>(N));
  }
  return found;
}

template std::optional<DiagonalSpread> diagonal_spread_of_rotated(View<const double>, View<const double>,
                                                                  const RotationClaim&);
template std::optional<DiagonalSpread> diagonal_spread_of_rotated(View<const float>, View<const float>,
                                                                  const RotationClaim&);

}  // namespace poslab::numerics
