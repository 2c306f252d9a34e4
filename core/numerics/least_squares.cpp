// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/linear_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "poslab/numerics/eigen.hpp"
#include "thin_svd.hpp"

#include <Eigen/QR>

namespace poslab::numerics {
namespace {

using Matrix = RowMajor<double>;
using ColumnMajor = Eigen::MatrixXd;

Eigen::Map<const Matrix> matrix(View<const double> numbers) {
  return {numbers.data, numbers.shape[0], numbers.stride()};
}

}  // namespace

struct LeastSquares::Decomposition {
  Eigen::HouseholderQR<ColumnMajor> qr;  // X = Q R
  ThinSvd singular;                      // of its square R [min(R, D), D]
  Index rank = 0;
};

LeastSquares::LeastSquares(View<const double> inputs, double rcond)
    : decomposition_(std::make_unique<Decomposition>()) {
  const ColumnMajor x = matrix(inputs);
  const Index square = std::min(x.rows(), x.cols());
  decomposition_->qr.compute(x);
  const ColumnMajor r = decomposition_->qr.matrixQR().topRows(square).triangularView<Eigen::Upper>();
  decomposition_->singular = thin_svd(r);
  const Eigen::VectorXd& values = decomposition_->singular.values;
  const double least = std::max(values(0) * rcond, std::numeric_limits<double>::min());
  decomposition_->rank = (values.array() >= least).count();
}

LeastSquares::~LeastSquares() = default;
LeastSquares::LeastSquares(LeastSquares&&) noexcept = default;

Array<double> LeastSquares::solve(View<const double> targets) const {
  const auto& [qr, singular, rank] = *decomposition_;
  if (targets.shape[0] != qr.rows()) throw unequal_rows("fit", qr.rows(), targets.shape[0]);
  ColumnMajor y = matrix(targets);
  y.applyOnTheLeft(qr.householderQ().transpose());
  // M = V diag(1 / s) U^T y, of the values that count
  ColumnMajor rotated = singular.left.leftCols(rank).transpose() * y.topRows(singular.left.rows());
  rotated = singular.values.head(rank).asDiagonal().inverse() * rotated;
  Array<double> map{qr.cols(), targets.stride()};
  Eigen::Map<Matrix>(map.data(), qr.cols(), targets.stride()) = singular.right.leftCols(rank) * rotated;
  return map;
}

Index LeastSquares::rank() const { return decomposition_->rank; }

double relative_residual(View<const double> inputs, View<const double> map, View<const double> targets) {
  const Matrix rest = matrix(targets) - matrix(inputs) * matrix(map);
  const double missed = rest.norm(), whole = matrix(targets).norm();
  return missed == 0 ? 0 : missed / whole;
}

base::Error unequal_rows(std::string_view fit, base::Index of_inputs, base::Index of_targets) {
  return base::Error(fmt::format("a {} of {} rows was given targets of {} rows; it wants as many, 1 or more", fit,
                                 of_inputs, of_targets));
}

}  // namespace poslab::numerics
