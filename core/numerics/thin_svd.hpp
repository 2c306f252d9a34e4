// SPDX-License-Identifier: Apache-2.0
// The singular value decomposition, compiled once: it takes half a minute.
// Dimension letters: M rows, N columns, S = min(M, N).
#pragma once

#include "poslab/numerics/eigen.hpp"

namespace poslab::numerics {

/// A = left diag(values) right^T.
struct ThinSvd {
  Eigen::MatrixXd left;    // [M, S]
  Eigen::VectorXd values;  // [S], falling
  Eigen::MatrixXd right;   // [N, S]
};

/// The decomposition of A [M, N], finite.
ThinSvd thin_svd(const Eigen::MatrixXd& matrix);

}  // namespace poslab::numerics
