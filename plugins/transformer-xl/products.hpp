// SPDX-License-Identifier: Apache-2.0
// All inner products of some rows with some others, several at a time in registers. The sum of one product runs in the
// same order wherever it stands in a block, so that another split gives the same bits.
#pragma once

#include <cstring>
#include <type_traits>

#include <poslab/scheme.hpp>

namespace poslab {

/// Rows of `count` numbers, `stride` apart.
template <class S>
struct Rows {
  const S* data;
  Index stride, count;
  const S* row(Index i) const { return data + i * stride; }
};

/// out[r * out_stride + c] = a_r . b_c for A rows and B rows from the given ones on.
template <int A, int B, class S>
void block_of_products(Rows<S> a, Index first_a, Rows<S> b, Index first_b, S* out, Index out_stride) {
  constexpr Index lanes = 32 / sizeof(S);
  typedef S Vector __attribute__((vector_size(32)));
  Vector sums[A][B] = {};
  Index k = 0;
  for (; k + lanes <= a.count; k += lanes) {
    Vector left[A], right[B];
    for (int r = 0; r < A; ++r) std::memcpy(&left[r], a.row(first_a + r) + k, sizeof(Vector));
    for (int c = 0; c < B; ++c) std::memcpy(&right[c], b.row(first_b + c) + k, sizeof(Vector));
    for (int r = 0; r < A; ++r)
      for (int c = 0; c < B; ++c) sums[r][c] += left[r] * right[c];
  }
  for (int r = 0; r < A; ++r)
    for (int c = 0; c < B; ++c) {
      S sum = 0;
      for (Index lane = 0; lane < lanes; ++lane) sum += sums[r][c][lane];
      for (Index tail = k; tail < a.count; ++tail) sum += a.row(first_a + r)[tail] * b.row(first_b + c)[tail];
      out[r * out_stride + c] = sum;
    }
}

/// out[r * out_stride + c] = a_r . b_c for all r < a_rows, c < b_rows.
template <class S>
void products(Rows<S> a, Index a_rows, Rows<S> b, Index b_rows, S* out, Index out_stride) {
  if constexpr (std::is_arithmetic_v<S>) {
    constexpr Index panel = 16;  // rows of b that stay in the cache while the rows of a go by
    for (Index first = 0; first < b_rows; first += panel) {
      const Index end = first + std::min(panel, b_rows - first);
      Index r = 0;
      for (; r + 4 <= a_rows; r += 4) {
        Index c = first;
        for (; c + 2 <= end; c += 2) block_of_products<4, 2>(a, r, b, c, out + r * out_stride + c, out_stride);
        if (c < end) block_of_products<4, 1>(a, r, b, c, out + r * out_stride + c, out_stride);
      }
      for (; r < a_rows; ++r) {
        S* const row = out + r * out_stride;
        for (Index c = first; c < end; ++c) block_of_products<1, 1>(a, r, b, c, row + c, out_stride);
      }
    }
  } else {
    for (Index r = 0; r < a_rows; ++r)
      for (Index c = 0; c < b_rows; ++c)
        out[r * out_stride + c] = dot(std::span(a.row(r), static_cast<std::size_t>(a.count)),
                                      std::span(b.row(c), static_cast<std::size_t>(b.count)));
  }
}

}  // namespace poslab
