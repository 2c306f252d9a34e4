// SPDX-License-Identifier: Apache-2.0
// Fits of linear maps: least squares without and with an intercept, and ridge regression.
// Dimension letters: R rows to fit, D inputs, E targets.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/error.hpp"
#include "poslab/numerics/inner_product.hpp"

namespace poslab::numerics {

using base::Array;
using base::Index;
using base::View;

/// A fit wants as many targets as inputs, 1 or more.
base::Error unequal_rows(std::string_view fit, base::Index inputs, base::Index targets);

/// The M for which |X M - Y| is smallest and, where many do equally well, the one with the smallest |M|.
/// One decomposition of the inputs serves any number of targets. A QR of X, then the singular values of its square R:
/// those below rcond times the largest count as 0, as in numpy.linalg.lstsq. (A QR with column pivots is no faster here
/// and only estimates singular values.) O(R D^2).
class LeastSquares {
 public:
  /// inputs X [R, D], finite, R >= 1, D >= 1; 0 <= rcond < 1.
  LeastSquares(View<const double> inputs, double rcond);
  ~LeastSquares();
  LeastSquares(LeastSquares&&) noexcept;

  /// M [D, E] for targets Y [R, E]; throws base::Error for unequal rows.
  Array<double> solve(View<const double> targets) const;
  /// Singular values that count.
  Index rank() const;

 private:
  struct Decomposition;
  std::unique_ptr<Decomposition> decomposition_;
};

/// |Y - X M| / |Y|, Frobenius norms; X [R, D], M [D, E], Y [R, E]. 0 where Y is 0 and met exactly.
double relative_residual(View<const double> inputs, View<const double> map, View<const double> targets);

/// What linear probes are: a map and an intercept, y = x M + b.
struct AffineMap {
  Array<double> columns;          ///< [E, D]: the map's columns, one row for each target
  std::vector<double> intercept;  ///< [E]

  /// What it makes of inputs [R, D]: [R, E].
  Array<double> operator()(View<const double> inputs) const {
    const Index R = inputs.shape[0], D = columns.extent(1), E = columns.extent(0);
    Array<double> out{R, E};
    for (Index r = 0; r < R; ++r)
      for (Index e = 0; e < E; ++e)
        out(r, e) = inner_product(&inputs.data[r * D], &columns.data()[e * D], D) + intercept[base::at(e)];
    return out;
  }
};

struct AffineFit {
  AffineMap map;
  Index rank;  ///< singular values of the centred inputs that count
};

/// The M and b for which |X M + 1 b^T - Y| is smallest and, where many do equally well, the one with the smallest |M|
/// (the intercept does not count).
/// X [R, D] and Y [R, E], finite, R >= 1, D >= 1. Singular values of the centred X below rcond times the largest count
/// as 0, as in numpy.linalg.lstsq of centred arrays, but rcond is at least max(R, D) epsilon: below that they are
/// rounding. O(R D min(R, D)). Throws base::Error for unequal rows.
AffineFit least_squares_with_intercept(View<const double> inputs, View<const double> targets, double rcond);

/// Ridge regression with an intercept that is not penalised: the M and b for which
///   |X M + 1 b^T - Y|^2 + penalty |M|^2    (Frobenius norms)
/// is smallest. There is exactly one, whatever the rank of X.
/// X [R, D] and Y [R, E], finite, R >= 1, D >= 1. One factorisation of D x D numbers or, where R < D, of R x R ones:
/// O(R D min(R, D)). Throws base::Error for a penalty that is not above 0, or so small beside
/// the inputs that rounding swallows it, and for unequal rows.
AffineMap ridge(View<const double> inputs, View<const double> targets, double penalty);

}  // namespace poslab::numerics
