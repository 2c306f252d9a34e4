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
#include <poslab/sdk/causal_convolution.hpp>
#include <poslab/sdk/many_rows.hpp>

namespace poslab {

/// `taps` is empty for no convolution and no SiLU.
template <class S>
struct ReflectionWeights {
  Tensor<S> down, up, taps;           // [rank, D], [H K, rank], [H K, taps]
  Tensor<S> strength, strength_bias;  // [H, D], [H]
};

template <class S>
class Reflections {
 public:
  /// The reflections of the first N tokens, w not yet normalised.
  Reflections(const ReflectionWeights<const S>& w, const Tensor<const S>& x, Index N, Index H)
      : H_(H), HK_(w.up.shape(0)), rank_(w.down.shape(0)) {
    for (Index t = 0; t < N; ++t) {
      append_products(low_, w.down, x.row(t));
      append_products(projected_, w.up, low(t));
      for (Index h = 0; h < H; ++h) strength_.push_back(S(2) * sigmoid(opening(w, x, h, t)));
    }
    if (w.taps.rank() > 0) convolved_ = causal_convolution(projected_, w.taps);
    directions_ = projected_;
    for (std::size_t c = 0; c < convolved_.size(); ++c) directions_[c] = silu(convolved_[c]);
  }

  /// Every w <- w / sqrt(|w|^2 + epsilon).
  void normalise(double epsilon) {
    const auto K = static_cast<std::size_t>(HK_ / H_);
    for (std::size_t first = 0; first < directions_.size(); first += K) {
      const Row<S> w(directions_.data() + first, K);
      sizes_.push_back(sqrt(dot(w, w) + S(epsilon)));
      for (S& channel : w) channel = channel / sizes_.back();
    }
  }

  /// v <- v - beta (w . v) w, for the vectors v_of(0) .. v_of(count - 1).
  template <class VectorOf>
  void apply(Index h, Index t, Index count, VectorOf v_of) {
    const Row<S> w = direction(directions_, h, t);
    for_dots(w, count, v_of, [&](Index n, const S& along) { add_scaled(v_of(n), S(-strength(h, t) * along), w); });
  }

  /// The gradients by w and beta, while they are summed.
  struct Gradient {
    std::vector<S> directions, strength;
    std::vector<S> wv, wu;  // for apply_gradient: of every vector
  };
  Gradient zero_gradient() const {
    return {std::vector<S>(directions_.size(), S(0)), std::vector<S>(strength_.size(), S(0)), {}, {}};
  }

  /// With u the gradient by apply's result, and v what apply was given: u <- u - beta (w . u) w, the gradient by v.
  template <class VectorOf, class GradientOf>
  void apply_gradient(Index h, Index t, Index count, VectorOf v_of, GradientOf u_of, Gradient& by) {
    const Row<S> w = direction(directions_, h, t);
    const S beta = strength(h, t);
    for (std::vector<S>* const dots : {&by.wv, &by.wu}) dots->resize(static_cast<std::size_t>(count));
    for_dots(w, count, v_of, [&](Index n, S along) { by.wv[static_cast<std::size_t>(n)] = along; });
    for_dots(w, count, u_of, [&](Index n, S along) { by.wu[static_cast<std::size_t>(n)] = along; });
    for (std::size_t n = 0; n < by.wv.size(); ++n)
      by.strength[static_cast<std::size_t>(t * H_ + h)] -= by.wv[n] * by.wu[n];
    add_scaled_rows(
        direction(by.directions, h, t), 2 * count,
        [&](Index r) { return -beta * (r % 2 == 0 ? by.wu : by.wv)[static_cast<std::size_t>(r / 2)]; },
        [&](Index r) { return Row<const S>(r % 2 == 0 ? v_of(r / 2) : u_of(r / 2)); });
    for (Index n = 0; n < count; ++n) add_scaled(u_of(n), -beta * by.wu[static_cast<std::size_t>(n)], w);
  }

  /// Adds the gradients by the weights and by x.
  void pass_on(Gradient by, const ReflectionWeights<const S>& w, const Tensor<const S>& x,
               const ReflectionWeights<S>& by_w, const Tensor<S>& by_x) {
    if (!sizes_.empty()) by.directions = before_normalising(std::move(by.directions));
    if (!convolved_.empty()) {
      for (std::size_t c = 0; c < convolved_.size(); ++c) {
        const S gate = sigmoid(convolved_[c]);
        by.directions[c] *= gate * (1 + convolved_[c] * (1 - gate));  // silu'
      }
      by.directions = causal_convolution_gradient(by.directions, projected_, w.taps, by_w.taps);
    }
    std::vector<S> by_low(static_cast<std::size_t>(rank_));
    for (Index t = 0; t < static_cast<Index>(strength_.size()) / H_; ++t) {
      std::fill(by_low.begin(), by_low.end(), S(0));
      add_products_gradient<S>(Row<const S>(by.directions.data() + t * HK_, static_cast<std::size_t>(HK_)), w.up,
                               low(t), by_w.up, by_low);
      add_products_gradient<S>(by_low, w.down, x.row(t), by_w.down, by_x.row(t));
      for (Index h = 0; h < H_; ++h) {
        const S beta_slope = strength(h, t) * sigmoid(-opening(w, x, h, t)),  // sigmoid'(z) = sigmoid(z) sigmoid(-z)
            by_z = by.strength[static_cast<std::size_t>(t * H_ + h)] * beta_slope;
        add_dot_gradient(by_z, w.strength.row(h), x.row(t), by_w.strength.row(h), by_x.row(t));
        by_w.strength_bias(h) += by_z;
      }
    }
  }

 private:
  // b . x + c
  static S opening(const ReflectionWeights<const S>& w, const Tensor<const S>& x, Index h, Index t) {
    return S(dot(w.strength.row(h), x.row(t)) + w.strength_bias(h));
  }
  const S& strength(Index h, Index t) const { return strength_[static_cast<std::size_t>(t * H_ + h)]; }
  Row<S> low(Index t) { return {low_.data() + t * rank_, static_cast<std::size_t>(rank_)}; }
  Row<S> direction(std::vector<S>& of_all, Index h, Index t) const {
    const Index K = HK_ / H_;
    return {of_all.data() + t * HK_ + h * K, static_cast<std::size_t>(K)};
  }

  // With w = y / size: (by_w - (w . by_w) w) / size.
  std::vector<S> before_normalising(std::vector<S> by_directions) {
    const auto K = static_cast<std::size_t>(HK_ / H_);
    for (std::size_t n = 0; n < sizes_.size(); ++n) {
      const Row<S> w(directions_.data() + n * K, K), by(by_directions.data() + n * K, K);
      add_scaled(by, S(-dot(w, by)), w);
      for (S& channel : by) channel /= sizes_[n];
    }
    return by_directions;
  }

  Index H_, HK_, rank_;
  std::vector<S> low_, projected_, convolved_;  // [N, rank], [N, H K], the same or empty
  std::vector<S> directions_, sizes_;           // [N, H K], [N, H] or empty
  std::vector<S> strength_;                     // [N, H]
};

}  // namespace poslab
