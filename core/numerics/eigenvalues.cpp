// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/decompositions.hpp"

#include "poslab/numerics/eigen.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace poslab::numerics {

std::vector<std::complex<double>> eigenvalues_of_quotient(View<const double> a, View<const double> b) {
  const base::Index K = a.shape[0];
  const RowMajor<double> divisor = Eigen::Map<const RowMajor<double>>(a.data, K, K);
  const RowMajor<double> dividend = Eigen::Map<const RowMajor<double>>(b.data, K, K);
  const Eigen::MatrixXd quotient = divisor.partialPivLu().solve(dividend);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(quotient, false);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

}  // namespace poslab::numerics
