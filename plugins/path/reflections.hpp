// SPDX-License-Identifier: Apache-2.0
// What PaTH makes of a layer's input: a direction w and a strength beta for every token and head.
//   w = y / sqrt(|y|^2 + epsilon), y = silu(convolution(up . down . x)),   beta = 2 sigmoid(b . x + c)
// Dimension letters: N tokens, D model width, H heads, K head width.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/running_sum.hpp>

namespace poslab {

template <class S>
class Reflections {
 public:
  /// `taps` is empty for no convolution and no SiLU.
  struct Projections {
    Tensor<const S> down, up, taps;           // [rank, D], [H K, rank], [H K, taps]
    Tensor<const S> strength, strength_bias;  // [H, D], [H]
  };

  /// Of the first N tokens, w not yet normalised.
  Reflections(const Projections& w, const Tensor<const S>& x, Index N, Index H) : H_(H), HK_(w.up.shape(0)) {
    std::vector<S> projected, low(static_cast<std::size_t>(w.down.shape(0)));
    for (Index t = 0; t < N; ++t) {
      const auto input = x.row(t);
      for (std::size_t c = 0; c < low.size(); ++c) low[c] = dot(w.down.row(static_cast<Index>(c)), input);
      for (Index c = 0; c < HK_; ++c) projected.push_back(dot(w.up.row(c), low));
      for (Index h = 0; h < H; ++h)
        strength_.push_back(S(2) * sigmoid(S(dot(w.strength.row(h), input) + w.strength_bias(h))));
    }
    directions_ = w.taps.rank() > 0 ? convolved(projected, w.taps, N) : std::move(projected);
  }

  /// Every w <- w / sqrt(|w|^2 + epsilon).
  void normalise(double epsilon) {
    const auto K = static_cast<std::size_t>(HK_ / H_);
    for (std::size_t first = 0; first < directions_.size(); first += K) {
      const Row<S> w(directions_.data() + first, K);
      const S size = sqrt(dot(w, w) + S(epsilon));
      for (S& channel : w) channel = channel / size;
    }
  }

  /// v <- v - beta (w . v) w
  void apply(Index h, Index t, Row<S> v) {
    const Row<S> w = direction(h, t);
    add_scaled(v, S(-strength_[static_cast<std::size_t>(t * H_ + h)] * dot(w, v)), w);
  }

 private:
  Row<S> direction(Index h, Index t) {
    const Index K = HK_ / H_;
    return {directions_.data() + t * HK_ + h * K, static_cast<std::size_t>(K)};
  }

  // Channel by channel over this token and those before it; the last tap is for this one.
  std::vector<S> convolved(const std::vector<S>& projected, const Tensor<const S>& taps, Index N) const {
    const Index width = taps.shape(1);
    std::vector<S> out;
    for (Index t = 0; t < N; ++t)
      for (Index c = 0; c < HK_; ++c) {
        S sum(0);
        for (Index back = 0; back < std::min(width, t + 1); ++back)
          sum += taps(c, width - 1 - back) * projected[static_cast<std::size_t>((t - back) * HK_ + c)];
        out.push_back(silu(sum));
      }
    return out;
  }

  Index H_, HK_;
  std::vector<S> directions_;  // [N, H K]
  std::vector<S> strength_;    // [N, H]
};

}  // namespace poslab
