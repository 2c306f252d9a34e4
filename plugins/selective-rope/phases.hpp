// SPDX-License-Identifier: Apache-2.0
// By how much every token rotates every plane of every head:
//   phi = convolution(up . down . x / |x|) [times sigmoid(gate)],   x / |x| head by head
// Dimension letters: N tokens, D model width, H heads, K head width, P = K / 2 planes.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/causal_convolution.hpp>
#include <poslab/sdk/many_rows.hpp>

namespace poslab {

/// Those that a variant does not have are empty.
template <class S>
struct PhaseWeights {
  Tensor<S> down, up, taps;   // [rank, D], [H P, rank], [H P, taps]
  Tensor<S> gate, gate_bias;  // [H, D], [H]
};

template <class S>
class Phases {
 public:
  Phases(const PhaseWeights<const S>& w, const Tensor<const S>& x, Index H, double epsilon)
      : N_(x.shape(0)), H_(H), HP_(w.up.shape(0)), rank_(w.down.shape(0)), D_(w.down.shape(1)) {
    const std::pair<std::vector<S>*, Index> widths[] = {
        {&sizes_, H}, {&inputs_, D_}, {&low_, rank_}, {&projected_, HP_}};
    for (const auto& [rows, width] : widths) rows->reserve(static_cast<std::size_t>(N_ * width));
    if (w.gate.rank() > 0) gates_.reserve(static_cast<std::size_t>(N_ * H));
    for (Index t = 0; t < N_; ++t) {
      normalise(x.row(t), epsilon);
      append_products(low_, w.down, input(t));
      append_products(projected_, w.up, low(t));
      if (w.gate.rank() == 0) continue;
      for (Index h = 0; h < H_; ++h) gates_.push_back(sigmoid(opening(w, h, t)));
    }
    summed_ = w.taps.rank() > 0 ? causal_convolution(projected_, w.taps) : projected_;
  }

  /// phi of channel c, of all heads' planes.
  S operator()(Index t, Index c) const {
    const S& angle = summed_[static_cast<std::size_t>(t * HP_ + c)];
    return gates_.empty() ? angle : angle * gates_[gate_of(t, c)];
  }

  /// Adds the gradients by the weights and by x, from that by phi [N, H P].
  void pass_on(std::vector<S> by_phi, const PhaseWeights<const S>& w, const PhaseWeights<S>& by_w,
               const Tensor<S>& by_x) {
    const bool is_gated = w.gate.rank() > 0;
    std::vector<S> by_gates(gates_.size(), S(0));
    if (is_gated)
      for (Index t = 0; t < N_; ++t)
        for (Index c = 0; c < HP_; ++c) {
          S& by_angle = by_phi[static_cast<std::size_t>(t * HP_ + c)];
          by_gates[gate_of(t, c)] += by_angle * summed_[static_cast<std::size_t>(t * HP_ + c)];
          by_angle *= gates_[gate_of(t, c)];
        }
    if (w.taps.rank() > 0) by_phi = causal_convolution_gradient(by_phi, projected_, w.taps, by_w.taps);
    std::vector<S> by_input, by_low;
    for (Index t = 0; t < N_; ++t) {
      by_input.assign(static_cast<std::size_t>(D_), S(0));
      by_low.assign(static_cast<std::size_t>(rank_), S(0));
      add_products_gradient<S>(Row<const S>(by_phi.data() + t * HP_, static_cast<std::size_t>(HP_)), w.up, low(t),
                               by_w.up, by_low);
      add_products_gradient<S>(by_low, w.down, input(t), by_w.down, by_input);
      for (Index h = 0; is_gated && h < H_; ++h) {
        const S gate_slope = gates_[static_cast<std::size_t>(t * H_ + h)] * sigmoid(-opening(w, h, t)),
                by_z = by_gates[static_cast<std::size_t>(t * H_ + h)] * gate_slope;
        add_dot_gradient(by_z, w.gate.row(h), input(t), by_w.gate.row(h), by_input);
        by_w.gate_bias(h) += by_z;
      }
      add_before_normalising(t, by_input, by_x.row(t));
    }
  }

 private:
  S opening(const PhaseWeights<const S>& w, Index h, Index t) {
    return S(dot(w.gate.row(h), input(t)) + w.gate_bias(h));
  }

  // Appends x / sqrt(|x|^2 + epsilon), for the part of x that belongs to each head.
  template <class Input>
  void normalise(const Input& x, double epsilon) {
    const std::size_t K = x.size() / static_cast<std::size_t>(H_);
    for (std::size_t first = 0; first < x.size(); first += K) {
      S square(epsilon);
      for (std::size_t k = first; k < first + K; ++k) square += x[k] * x[k];
      sizes_.push_back(sqrt(square));
      for (std::size_t k = first; k < first + K; ++k) inputs_.push_back(x[k] / sizes_.back());
    }
  }

  // With y = x / size: by_x += (by_y - (y . by_y) y) / size.
  void add_before_normalising(Index t, std::vector<S>& by_input, Row<S> by_x) {
    const auto K = static_cast<std::size_t>(D_ / H_);
    for (std::size_t h = 0; h < static_cast<std::size_t>(H_); ++h) {
      const Row<S> y = input(t).subspan(h * K, K), by_y = Row<S>(by_input).subspan(h * K, K);
      const S size = sizes_[static_cast<std::size_t>(t * H_) + h], along = dot(y, by_y);
      for (std::size_t k = 0; k < K; ++k) by_x[h * K + k] += (by_y[k] - along * y[k]) / size;
    }
  }

  std::size_t gate_of(Index t, Index c) const { return static_cast<std::size_t>(t * H_ + c / (HP_ / H_)); }
  Row<S> input(Index t) { return {inputs_.data() + t * D_, static_cast<std::size_t>(D_)}; }
  Row<S> low(Index t) { return {low_.data() + t * rank_, static_cast<std::size_t>(rank_)}; }

  Index N_, H_, HP_, rank_, D_;
  std::vector<S> sizes_, inputs_;            // [N, H], [N, D]: |x|, and x / |x|
  std::vector<S> low_, projected_, summed_;  // [N, rank], [N, H P], [N, H P] after the convolution
  std::vector<S> gates_;                     // [N, H], or empty
};

}  // namespace poslab
