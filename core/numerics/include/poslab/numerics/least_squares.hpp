// SPDX-License-Identifier: Apache-2.0
// Least squares of minimum norm: the map M that takes rows of inputs to rows of targets, |X M - Y| smallest and, where
// many maps do equally well, |M| smallest.
// Dimension letters: R rows to fit, D inputs, E targets.
#pragma once

#include <memory>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Array;
using base::Index;
using base::View;

/// One decomposition of the inputs serves any number of targets. A QR of X, then the singular values of its square R:
/// those below rcond times the largest count as 0, as in numpy.linalg.lstsq. (A QR with column pivots is no faster here
/// and only estimates singular values.) O(R D^2).
class LeastSquares {
 public:
  /// inputs X [R, D], finite, R >= 1, D >= 1; 0 <= rcond < 1.
  LeastSquares(View<const double> inputs, double rcond);
  ~LeastSquares();
  LeastSquares(LeastSquares&&) noexcept;

  /// M [D, E] for targets Y [R, E]; throws unequal_rows.
  Array<double> solve(View<const double> targets) const;
  /// Singular values that count.
  Index rank() const;

 private:
  struct Decomposition;
  std::unique_ptr<Decomposition> decomposition_;
};

/// |Y - X M| / |Y|, Frobenius norms; X [R, D], M [D, E], Y [R, E]. 0 where Y is 0 and met exactly.
double relative_residual(View<const double> inputs, View<const double> map, View<const double> targets);

}  // namespace poslab::numerics
