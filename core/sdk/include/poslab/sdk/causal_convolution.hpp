// SPDX-License-Identifier: Apache-2.0
// Tokens look back: every channel is a weighted sum over this token and those just before it.
// Not part of <poslab/scheme.hpp>: #include <poslab/sdk/causal_convolution.hpp>.
// Dimension letters: N tokens, C channels, T taps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "poslab/sdk/tensor.hpp"
#include "poslab/sdk/variable.hpp"

namespace poslab {

/// Takes x [N, C]: y(t, c) = sum_b taps(c, T - 1 - b) x(t - b, c); the last tap is for the token itself.
template <class S>
std::vector<S> causal_convolution(const std::vector<S>& x, const Tensor<const S>& taps) {
  const Index C = taps.shape(0), T = taps.shape(1), N = static_cast<Index>(x.size()) / C;
  std::vector<S> y;
  y.reserve(x.size());
  for (Index t = 0; t < N; ++t)
    for (Index c = 0; c < C; ++c) {
      S sum(0);
      for (Index back = 0; back < std::min(T, t + 1); ++back)
        sum += taps(c, T - 1 - back) * x[static_cast<std::size_t>((t - back) * C + c)];
      y.push_back(sum);
    }
  return y;
}

/// The gradient by x from that by y; that by the taps is added to `by_taps`.
template <class S>
std::vector<S> causal_convolution_gradient(const std::vector<S>& by_y, const std::vector<S>& x,
                                           const Tensor<const S>& taps, const Tensor<S>& by_taps) {
  const Index C = taps.shape(0), T = taps.shape(1), N = static_cast<Index>(x.size()) / C;
  std::vector<S> by_x(x.size(), S(0));
  for (Index t = 0; t < N; ++t)
    for (Index c = 0; c < C; ++c)
      for (Index back = 0; back < std::min(T, t + 1); ++back) {
        const S by_sum = by_y[static_cast<std::size_t>(t * C + c)];
        const auto from = static_cast<std::size_t>((t - back) * C + c);
        by_x[from] += by_sum * taps(c, T - 1 - back);
        by_taps(c, T - 1 - back) += by_sum * x[from];
      }
  return by_x;
}

}  // namespace poslab
