// SPDX-License-Identifier: Apache-2.0
// Systems of equations in long double, by plain loops: what fits are compared with.
// Dimension letters: R rows, D inputs.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "poslab/base/array.hpp"

namespace elimination {

using poslab::base::Array;
using poslab::base::Index;
using Row = std::vector<long double>;

/// A x = b by Gauss with row pivots; b is the last column.
inline Row solve(std::vector<Row> a) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[k][k])) std::swap(a[i], a[k]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const long double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  Row x;
  for (std::size_t k = 0; k < n; ++k) x.push_back(a[k][n] / a[k][k]);
  return x;
}

/// The D entries of the map and the intercept for target e: Z = [X, 1], (Z^T Z + penalty diag(1 .. 1, 0)) w = Z^T y.
inline Row normal_equations(const Array<double>& x, const Array<double>& y, Index e, double penalty) {
  const Index R = x.extent(0), D = x.extent(1);
  std::vector<Row> system(static_cast<std::size_t>(D) + 1, Row(static_cast<std::size_t>(D) + 2));
  const auto z = [&](Index r, Index k) -> long double { return k == D ? 1 : x(r, k); };
  for (Index i = 0; i <= D; ++i) {
    Row& row = system[static_cast<std::size_t>(i)];
    for (Index r = 0; r < R; ++r) {
      for (Index j = 0; j <= D; ++j) row[static_cast<std::size_t>(j)] += z(r, i) * z(r, j);
      row[static_cast<std::size_t>(D) + 1] += z(r, i) * y(r, e);
    }
    if (i < D) row[static_cast<std::size_t>(i)] += penalty;
  }
  return solve(std::move(system));
}

}  // namespace elimination
