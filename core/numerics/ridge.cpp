// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/linear_fit.hpp"

#include <fmt/format.h>

#include <limits>

#include "poslab/base/text.hpp"
#include "poslab/numerics/eigen.hpp"

#include <Eigen/Cholesky>

namespace poslab::numerics {
namespace {

using Rows = RowMajor<double>;
using Square = Eigen::MatrixXd;

// M^T [E, D] of centred inputs and targets. (X^T X + penalty) M = X^T Y where there are more rows than inputs, else
// M = X^T (X X^T + penalty)^-1 Y: the same map.
Rows transposed_map(const Rows& x, const Rows& y, double penalty) {
  const bool tall = x.rows() >= x.cols();
  Square gram = tall ? Square(x.transpose() * x) : Square(x * x.transpose());
  // A Cholesky factor is safe while penalty / largest eigenvalue is above the rounding of its sums.
  const double smallest = gram.trace() * static_cast<double>(gram.rows()) * 10 * std::numeric_limits<double>::epsilon();
  if (!(penalty > 0) || !(penalty >= smallest))
    throw base::Error(
        base::Error::Kind::numeric,
        fmt::format("a ridge of penalty {} is too small for these inputs: it must be above 0 and at least "
                    "{}, which rounding of their products would swallow",
                    base::shortest(penalty), base::shortest(smallest)),
        "take a larger one");
  gram.diagonal().array() += penalty;
  const Eigen::LLT<Square> factor(gram);
  if (tall) return factor.solve(Square(x.transpose() * y)).transpose();
  return factor.solve(Square(y)).transpose() * x;
}

}  // namespace

AffineMap ridge(View<const double> inputs, View<const double> targets, double penalty) {
  const Index R = inputs.shape[0], D = inputs.stride(), E = targets.stride();
  if (targets.shape[0] != R || R < 1) throw unequal_rows("ridge", R, targets.shape[0]);
  Rows x = Eigen::Map<const Rows>(inputs.data, R, D), y = Eigen::Map<const Rows>(targets.data, R, E);
  const Eigen::RowVectorXd mean_x = x.colwise().mean(), mean_y = y.colwise().mean();
  x.rowwise() -= mean_x;
  y.rowwise() -= mean_y;
  const Rows map = transposed_map(x, y, penalty);
  AffineMap out{Array<double>{E, D}, std::vector<double>(static_cast<std::size_t>(E))};
  Eigen::Map<Rows>(out.columns.data(), E, D) = map;
  Eigen::Map<Eigen::RowVectorXd>(out.intercept.data(), E) = mean_y - mean_x * map.transpose();
  return out;
}

}  // namespace poslab::numerics
