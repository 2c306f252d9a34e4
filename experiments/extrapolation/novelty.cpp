// SPDX-License-Identifier: Apache-2.0
#include "novelty.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/numerics/closest_pair.hpp"
#include "poslab/numerics/eigen.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using RowMajor = numerics::RowMajor<double>;
using Rows = Eigen::Map<const RowMajor>;

constexpr Index rows_per_task = 64;

// The exact squared distance of `row` to the nearest trained row, given |t|^2 + |s|^2 - 2 t.s for each trained row s,
// each within `error` of the truth.
double nearest_squared(const double* row, View<const double> trained, const Eigen::RowVectorXd& approximate,
                       double error) {
  const Index W = trained.shape[1];
  const double limit = approximate.minCoeff() + 2 * error;
  double nearest = std::numeric_limits<double>::infinity();
  for (Index s = 0; s < trained.shape[0] && nearest > 0; ++s)
    if (approximate(s) <= limit) nearest = std::min(nearest, numerics::squared_distance(row, &trained(s, 0), W));
  return nearest;
}

}  // namespace

std::vector<double> nearest_distances(View<const double> tested, View<const double> trained) {
  const Index P = tested.shape[0], T = trained.shape[0], W = trained.shape[1];
  const Rows all_trained(trained.data, T, W);
  const Eigen::RowVectorXd trained_squares = all_trained.rowwise().squaredNorm().transpose();
  // Each of the three sums of W products is within W eps of the sum of its magnitudes; one factor two to be safe.
  const double relative_error = 4 * static_cast<double>(W + 4) * std::numeric_limits<double>::epsilon();
  std::vector<double> distances(static_cast<std::size_t>(P));
  tbb::parallel_for(Index{0}, (P + rows_per_task - 1) / rows_per_task, [&](Index block) {
    const Index first = block * rows_per_task, count = std::min(rows_per_task, P - first);
    const Rows rows(tested.data + first * W, count, W);
    RowMajor products(count, T);
    numerics::multiply_rows<double>({&tested(first, 0), count, W}, trained, 1.0, products.data());
    for (Index i = 0; i < count; ++i) {
      const double squares = rows.row(i).squaredNorm();
      const Eigen::RowVectorXd approximate = trained_squares.array() + squares - 2 * products.row(i).array();
      const double error = relative_error * (squares + trained_squares.maxCoeff());
      const double* row = &tested(first + i, 0);
      distances[static_cast<std::size_t>(first + i)] = std::sqrt(nearest_squared(row, trained, approximate, error));
    }
  });
  return distances;
}

double neighbour_distance(View<const double> rows) {
  const Index T = rows.shape[0], W = rows.shape[1];
  if (T < 2) return 0;
  double squares = 0;
  for (Index p = 0; p + 1 < T; ++p) squares += numerics::squared_distance(&rows(p + 1, 0), &rows(p, 0), W);
  return std::sqrt(squares / static_cast<double>(T - 1));
}

double novelty(double distance, double unit) {
  if (distance == 0) return 0;
  return unit > 0 ? distance / unit : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace poslab::experiments::extrapolation
