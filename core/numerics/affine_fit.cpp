// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/linear_fit.hpp"

#include <algorithm>
#include <limits>

#include "poslab/numerics/eigen.hpp"

#include <Eigen/QR>

namespace poslab::numerics {
namespace {

using Rows = RowMajor<double>;

Array<double> centred(View<const double> numbers, Eigen::RowVectorXd& mean) {
  Array<double> out{numbers.shape[0], numbers.stride()};
  Eigen::Map<Rows> rows(out.data(), out.extent(0), out.extent(1));
  rows = Eigen::Map<const Rows>(numbers.data, out.extent(0), out.extent(1));
  mean = rows.colwise().mean();
  rows.rowwise() -= mean;
  return out;
}

// The map of minimum norm, [D, E]. With fewer rows than inputs X = L Q^T, L square: the singular values of X are those
// of L, which is the smaller to decompose, and the map lies in the span of Q.
Array<double> map_of(const Array<double>& x, const Array<double>& y, double rcond, Index& rank) {
  const Index R = x.extent(0), D = x.extent(1), E = y.extent(1);
  if (R >= D) {
    const LeastSquares fit(x, rcond);
    rank = fit.rank();
    return fit.solve(y);
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> of_transpose(Eigen::Map<const Rows>(x.data(), R, D).transpose());
  Array<double> lower{R, R};
  Eigen::Map<Rows>(lower.data(), R, R) =
      of_transpose.matrixQR().topRows(R).triangularView<Eigen::Upper>().toDenseMatrix().transpose();
  const LeastSquares fit(lower, rcond);
  rank = fit.rank();
  const Array<double> small = fit.solve(y);
  Eigen::MatrixXd map = Eigen::MatrixXd::Zero(D, E);
  map.topRows(R) = Eigen::Map<const Rows>(small.data(), R, E);
  map.applyOnTheLeft(of_transpose.householderQ());
  Array<double> out{D, E};
  Eigen::Map<Rows>(out.data(), D, E) = map;
  return out;
}

}  // namespace

AffineFit least_squares_with_intercept(View<const double> inputs, View<const double> targets, double rcond) {
  const Index R = inputs.shape[0], D = inputs.stride(), E = targets.stride();
  if (targets.shape[0] != R || R < 1) throw unequal_rows("fit", R, targets.shape[0]);
  Eigen::RowVectorXd mean_x, mean_y;
  const Array<double> x = centred(inputs, mean_x), y = centred(targets, mean_y);
  // Centred rows are at most R - 1 directions. What is left of the last one is rounding, of centring and of a QR, and
  // as small are what targets have along it: their quotient could be anything.
  const double rounding = static_cast<double>(std::max(R, D)) * std::numeric_limits<double>::epsilon();
  AffineFit fit{{Array<double>{E, D}, std::vector<double>(static_cast<std::size_t>(E))}, 0};
  const Array<double> map = map_of(x, y, std::max(rcond, rounding), fit.rank);
  const Eigen::Map<const Rows> m(map.data(), D, E);
  Eigen::Map<Rows>(fit.map.columns.data(), E, D) = m.transpose();
  Eigen::Map<Eigen::RowVectorXd>(fit.map.intercept.data(), E) = mean_y - mean_x * m;
  return fit;
}

}  // namespace poslab::numerics
