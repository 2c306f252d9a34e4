// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/softmax.hpp"

#include <algorithm>
#include <limits>

#include "poslab/numerics/eigen.hpp"

namespace poslab::attention {

template <class S>
void softmax(std::span<S> row) {
  if (row.empty()) return;
  Eigen::Map<Eigen::Array<S, Eigen::Dynamic, 1>> logits(row.data(), static_cast<Eigen::Index>(row.size()));
  const S largest = logits.maxCoeff();
  if (largest == -std::numeric_limits<S>::infinity()) {
    logits.setZero();
    return;
  }
  logits = (logits - largest).exp();
  logits /= logits.sum();
}

template void softmax<float>(std::span<float>);
template void softmax<double>(std::span<double>);

}  // namespace poslab::attention
