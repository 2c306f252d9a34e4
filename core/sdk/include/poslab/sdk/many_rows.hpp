// SPDX-License-Identifier: Apache-2.0
// dot and add_scaled with many rows, four at a time, which read the common row once and wait for one another less. The
// bits are those of the one at a time. Not part of <poslab/scheme.hpp>: #include <poslab/sdk/many_rows.hpp>.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "poslab/sdk/leaves.hpp"
#include "poslab/sdk/row.hpp"
#include "poslab/sdk/rows.hpp"
#include "poslab/sdk/tensor.hpp"

namespace poslab {

namespace sdk {

/// out[r] = dot_of(a, b_r)
template <class S, class A, class B>
void four_dots(const A* a, const B* b0, const B* b1, const B* b2, const B* b3, std::size_t count, S (&out)[4]) {
  constexpr std::size_t lanes = 16;
  Sums<S, lanes / Vector<S>::width> s0, s1, s2, s3;
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes)
    s0.add(a + k, b0 + k), s1.add(a + k, b1 + k), s2.add(a + k, b2 + k), s3.add(a + k, b3 + k);
  S t0 = 0, t1 = 0, t2 = 0, t3 = 0;
  for (; k < count; ++k) t0 += a[k] * b0[k], t1 += a[k] * b1[k], t2 += a[k] * b2[k], t3 += a[k] * b3[k];
  out[0] = sum_of(s0, t0), out[1] = sum_of(s1, t1), out[2] = sum_of(s2, t2), out[3] = sum_of(s3, t3);
}

}  // namespace sdk

/// use(r, dot(a, row_of(r))) for r = 0, 1, .. count - 1.
template <class A, class RowOf, class Use>
void for_dots(const A& a, Index count, RowOf row_of, Use use) {
  using S = std::decay_t<decltype(a[0] * row_of(Index{0})[0])>;
  Index r = 0;
  if constexpr (std::is_arithmetic_v<S>) {
    if (a.size() > 0)
      for (; r + 4 <= count; r += 4) {
        const auto b0 = row_of(r), b1 = row_of(r + 1), b2 = row_of(r + 2), b3 = row_of(r + 3);
        for (const auto* row : {&b0, &b1, &b2, &b3}) sdk::require_length(*row, a.size());
        S dots[4];
        sdk::four_dots<S>(&a[0], &b0[0], &b1[0], &b2[0], &b3[0], a.size(), dots);
        for (Index n = 0; n < 4; ++n) use(r + n, dots[n]);
      }
  }
  for (; r < count; ++r) use(r, dot(a, row_of(r)));
}

/// out[k] += factor_of(r) row_of(r)[k] for r = 0, 1, .. count - 1, one after another. A number that is 0 adds nothing,
/// whatever its row holds: so masked pairs are left out. Rows are as long as `out`, and none of them is `out`.
template <class Out, class FactorOf, class RowOf>
void add_scaled_rows(Out&& out, Index count, FactorOf factor_of, RowOf row_of) {
  using S = std::decay_t<decltype(factor_of(Index{0}))>;
  if constexpr (std::is_arithmetic_v<S>) {
    auto* const to = out.data();
    S factor[4];
    const S* row[4];
    const std::size_t size = out.size();
    std::size_t waiting = 0;
    for (Index r = 0; r < count; ++r) {
      const S f = factor_of(r);
      if (f == 0) continue;
      const auto next = row_of(r);
      sdk::require_length(next, size);
      factor[waiting] = f, row[waiting] = next.data();
      if (++waiting < 4) continue;
      const S* const __restrict r0 = row[0], * const __restrict r1 = row[1], * const __restrict r2 = row[2], * const __restrict r3 = row[3];
      const S f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
      for (std::size_t k = 0; k < size; ++k) to[k] = (((to[k] + f0 * r0[k]) + f1 * r1[k]) + f2 * r2[k]) + f3 * r3[k];
      waiting = 0;
    }
    for (std::size_t n = 0; n < waiting; ++n) add_scaled(out, factor[n], Row<const S>(row[n], size));
  } else {
    for (Index r = 0; r < count; ++r) add_scaled(out, factor_of(r), row_of(r));
  }
}

/// Appends the products of x with all rows of the matrix: matrix . x.
template <class S, class X>
void append_products(std::vector<S>& out, const Tensor<const S>& matrix, const X& x) {
  for_dots(
      x, matrix.shape(0), [&](Index r) { return matrix.row(r); },
      [&](Index, const S& product) { out.push_back(product); });
}

/// What matrix . x passes on of the gradient by it.
template <class S, class X, class ByX>
void add_products_gradient(Row<const S> by_products, const Tensor<const S>& matrix, const X& x,
                           const Tensor<S>& by_matrix, ByX&& by_x) {
  const auto by = [&](Index r) { return by_products[static_cast<std::size_t>(r)]; };
  add_scaled_rows(by_x, matrix.shape(0), by, [&](Index r) { return matrix.row(r); });
  for (Index r = 0; r < matrix.shape(0); ++r) add_scaled(by_matrix.row(r), by(r), x);
}

}  // namespace poslab
