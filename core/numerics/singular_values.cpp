// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/decompositions.hpp"

#include "poslab/numerics/eigen.hpp"
#include "thin_svd.hpp"

#include <Eigen/SVD>

namespace poslab::numerics {

ThinSvd thin_svd(const Eigen::MatrixXd& matrix) {
  const Eigen::BDCSVD<Eigen::MatrixXd> decomposition(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {decomposition.matrixU(), decomposition.singularValues(), decomposition.matrixV()};
}

std::vector<double> singular_values(View<const double> a) {
  const Eigen::MatrixXd matrix = Eigen::Map<const RowMajor<double>>(a.data, a.shape[0], a.shape[1]);
  const Eigen::BDCSVD<Eigen::MatrixXd> decomposition(matrix);
  const Eigen::VectorXd& values = decomposition.singularValues();
  return {values.begin(), values.end()};
}

}  // namespace poslab::numerics
