// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "poslab/network/layers.hpp"
#include "poslab/numerics/eigen.hpp"

namespace poslab::network {

template <class S>
void cross_entropy(View<S> logits, const std::int32_t* targets, const double* factors, TokenLoss* losses,
                   bool with_gradient) {
  const Index M = logits.shape[0], V = logits.shape[1];
  for (Index m = 0; m < M; ++m) {
    Eigen::Map<Eigen::Array<S, Eigen::Dynamic, 1>> row(&logits(m, 0), V);
    if (factors[m] == 0) {
      if (with_gradient) row.setZero();
      losses[m] = {};
      continue;
    }
    Eigen::Index best = 0;
    const S largest = row.maxCoeff(&best), of_target = row(targets[m]) - largest;
    row = (row - largest).exp();
    const S sum = row.sum();
    losses[m] = {std::log(static_cast<double>(sum)) - static_cast<double>(of_target), best == targets[m]};
    if (!with_gradient) continue;
    row *= static_cast<S>(factors[m]) / sum;
    row(targets[m]) -= static_cast<S>(factors[m]);
  }
}

template void cross_entropy<float>(View<float>, const std::int32_t*, const double*, TokenLoss*, bool);
template void cross_entropy<double>(View<double>, const std::int32_t*, const double*, TokenLoss*, bool);

}  // namespace poslab::network
