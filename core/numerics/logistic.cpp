// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/logistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/base/text.hpp"
#include "poslab/numerics/eigen.hpp"
#include "poslab/numerics/linear_fit.hpp"

#include <Eigen/Cholesky>

namespace poslab::numerics {
namespace {

using Vector = Eigen::VectorXd;
using Gram = Eigen::Map<const RowMajor<double>>;

constexpr double near_enough = 1e-12, too_far = 1e-6;
constexpr int max_steps = 200, max_halvings = 40;

double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

struct Problem {
  Gram gram;
  Vector sign;  // +1 or -1
};

// One a, with the b that is best there.
struct Iterate {
  Vector a, product;  // product = gram a
  double b = 0;
  Vector pull;  // what a would be if this were the minimum: sign_i / (1 + exp(sign_i (product_i + b)))
  double objective = 0, excess = 0;
};

Vector pulls(const Problem& problem, const Vector& product, double b) {
  Vector pull(product.size());
  for (Index i = 0; i < product.size(); ++i) pull[i] = problem.sign[i] * sigmoid(-problem.sign[i] * (product[i] + b));
  return pull;
}

// The root of sum(pulls), which falls in b. It lies where not all sigmoids are above, or below, the share of positive
// signs: Newton's steps that leave that bracket are replaced by its middle.
double best_intercept(const Problem& problem, const Vector& product, double b) {
  const double positive = (problem.sign.array() > 0).count(), negative = static_cast<double>(product.size()) - positive;
  const double even = std::log(positive / negative);
  double low = even - product.maxCoeff(), high = even - product.minCoeff();
  b = std::clamp(b, low, high);
  for (int step = 0; step < max_steps; ++step) {
    const Vector pull = pulls(problem, product, b);
    const double sum = pull.sum(), slope = (pull.array().abs() * (1 - pull.array().abs())).sum();
    if (sum == 0) break;
    (sum > 0 ? low : high) = b;
    double next = b + sum / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - b) <= 4 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(b))) break;
    b = next;
  }
  return b;
}

Iterate iterate_at(const Problem& problem, Vector a, double near_b) {
  Iterate iterate;
  iterate.a = std::move(a);
  iterate.product = problem.gram * iterate.a;
  iterate.b = best_intercept(problem, iterate.product, near_b);
  iterate.pull = pulls(problem, iterate.product, iterate.b);
  iterate.objective = iterate.a.dot(iterate.product) / 2;
  for (Index i = 0; i < iterate.a.size(); ++i) {
    const double margin = problem.sign[i] * (iterate.product[i] + iterate.b);
    iterate.objective += std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
  }
  const Vector rest = iterate.pull - iterate.a;
  iterate.excess = std::abs(rest.dot(problem.gram * rest)) / 2;
  return iterate;
}

// Where Newton's method goes from here: (gram + 1 / v) a = z - b 1 with sum(a) = 0, v the curvatures and z the working
// responses, by the factor of I + sqrt(v) gram sqrt(v), which no small curvature can make singular (Rasmussen and
// Williams 2006, algorithm 3.1).
Vector newton_target(const Problem& problem, const Iterate& iterate) {
  const Vector curvature = iterate.pull.array().abs() * (1 - iterate.pull.array().abs());
  const Vector root = curvature.array().sqrt();
  Eigen::MatrixXd system = root.asDiagonal() * problem.gram * root.asDiagonal();
  system.diagonal().array() += 1;
  const Eigen::LLT<Eigen::MatrixXd> factor(system);
  const Vector vz = curvature.array() * (iterate.product.array() + iterate.b) + iterate.pull.array();
  const Vector of_z = vz - root.cwiseProduct(factor.solve(root.cwiseProduct(problem.gram * vz)));
  const Vector of_one = root.cwiseProduct(factor.solve(root));
  return of_z - of_z.sum() / of_one.sum() * of_one;
}

// The first of the iterates at 1, 1/2, 1/4 ... of the way that is lower; the same iterate if none is.
Iterate lower_iterate(const Problem& problem, const Iterate& from, const Vector& target) {
  Vector way = target - from.a;
  if (!way.allFinite()) way = from.pull - from.a;  // downhill at least
  for (int halving = 0; halving < max_halvings; ++halving, way /= 2) {
    Iterate iterate = iterate_at(problem, from.a + way, from.b);
    if (iterate.objective < from.objective) return iterate;
    if (iterate.objective == from.objective && iterate.excess < from.excess) return iterate;
  }
  return from;
}

}  // namespace

LogisticFit logistic_regression(View<const double> products, std::span<const std::uint8_t> labels) {
  const auto R = static_cast<Index>(labels.size());
  if (products.shape[0] != R || products.stride() != R || R < 1)
    throw unequal_rows("logistic regression", products.shape[0] == R ? products.stride() : products.shape[0], R);
  Problem problem{Gram(products.data, R, R), Vector(R)};
  for (Index i = 0; i < R; ++i) problem.sign[i] = labels[base::at(i)] ? 1 : -1;
  if (problem.sign.minCoeff() == problem.sign.maxCoeff())
    throw base::Error(
        base::Error::Kind::numeric,
        fmt::format("all {} rows that a logistic regression is fitted to have the label {}: it wants rows "
                    "of both classes",
                    R, labels[0] ? 1 : 0));
  Iterate iterate = iterate_at(problem, Vector::Zero(R), 0);
  for (int step = 0; step < max_steps && !(iterate.excess <= near_enough); ++step) {
    Iterate next = lower_iterate(problem, iterate, newton_target(problem, iterate));
    const bool stands_still = next.objective == iterate.objective && next.excess == iterate.excess;
    iterate = std::move(next);
    if (stands_still) break;
  }
  if (!(iterate.excess <= too_far))
    throw base::Error(base::Error::Kind::numeric,
                      fmt::format("a logistic regression of {} rows stays up to {} above its minimum, where {} is "
                                  "allowed: its inputs are too large or too unequal for rounding",
                                  R, base::shortest(iterate.excess), base::shortest(too_far)),
                      "scale them");
  return {{iterate.a.begin(), iterate.a.end()}, iterate.b, iterate.objective, iterate.excess};
}

}  // namespace poslab::numerics
