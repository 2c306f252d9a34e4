// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/error.hpp"
#include "poslab/numerics/eigen.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

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
  Eigen::BDCSVD<ColumnMajor> singular;   // R = U S V^T, [min(R, D), D]
};

LeastSquares::LeastSquares(View<const double> inputs, double rcond)
    : decomposition_(std::make_unique<Decomposition>()) {
  const ColumnMajor x = matrix(inputs);
  const Index square = std::min(x.rows(), x.cols());
  decomposition_->qr.compute(x);
  const ColumnMajor r = decomposition_->qr.matrixQR().topRows(square).triangularView<Eigen::Upper>();
  decomposition_->singular.compute(r, Eigen::ComputeThinU | Eigen::ComputeThinV);
  decomposition_->singular.setThreshold(rcond);
}

LeastSquares::~LeastSquares() = default;
LeastSquares::LeastSquares(LeastSquares&&) noexcept = default;

Array<double> LeastSquares::solve(View<const double> targets) const {
  const auto& [qr, singular] = *decomposition_;
  if (targets.shape[0] != qr.rows())
    throw base::Error(fmt::format("a fit of {} rows was given targets of {} rows", qr.rows(), targets.shape[0]));
  ColumnMajor y = matrix(targets);
  y.applyOnTheLeft(qr.householderQ().transpose());
  Array<double> map{qr.cols(), targets.stride()};
  Eigen::Map<Matrix>(map.data(), qr.cols(), targets.stride()) = singular.solve(y.topRows(singular.rows()));
  return map;
}

Index LeastSquares::rank() const { return decomposition_->singular.rank(); }

double relative_residual(View<const double> inputs, View<const double> map, View<const double> targets) {
  const Matrix rest = matrix(targets) - matrix(inputs) * matrix(map);
  const double missed = rest.norm(), whole = matrix(targets).norm();
  return missed == 0 ? 0 : missed / whole;
}

}  // namespace poslab::numerics
