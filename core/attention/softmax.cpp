// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/softmax.hpp"

#include <algorithm>
#include <limits>

#include "poslab/numerics/eigen.hpp"

namespace poslab::attention {
namespace {

template <class S>
constexpr S nothing = -std::numeric_limits<S>::infinity();

// row <- exp(row), and 0 where a key is hidden: Eigen's exp of -infinity is the least number above 0, or 0, as its
// vectors fall.
template <class S, class Row>
void exponentials(Row& row) {
  // A `select` in the same expression would make it four times as slow: Eigen takes no entries together then.
  if (row.minCoeff() > nothing<S>) {
    row = row.exp();
    return;
  }
  const Eigen::Array<S, Eigen::Dynamic, 1> logits = row;
  row = logits.exp();
  row = (logits == nothing<S>).select(S(0), row);
}

}  // namespace

template <class S>
void softmax(std::span<S> row) {
  if (row.empty()) return;
  Eigen::Map<Eigen::Array<S, Eigen::Dynamic, 1>> logits(row.data(), static_cast<Eigen::Index>(row.size()));
  const S largest = logits.maxCoeff();
  if (largest == nothing<S>) {
    logits.setZero();
    return;
  }
  logits -= largest;
  exponentials<S>(logits);
  logits /= logits.sum();
}

template <class S>
void masked_softmax(View<S> logits, Index first, bool causal) {
  const Index H = logits.shape[0], Nq = logits.shape[1], Nk = logits.shape[2];
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < Nq; ++i) {
      const Index visible = causal ? std::min(first + i + 1, Nk) : Nk;
      S* row = &logits(h, i, 0);
      softmax<S>({row, static_cast<std::size_t>(visible)});
      std::fill(row + visible, row + Nk, S(0));
    }
}

template void masked_softmax<float>(View<float>, Index, bool);
template void masked_softmax<double>(View<double>, Index, bool);
template void softmax<float>(std::span<float>);
template void softmax<double>(std::span<double>);

}  // namespace poslab::attention
