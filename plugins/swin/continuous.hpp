// SPDX-License-Identifier: Apache-2.0
// The continuous bias of Swin v2: a network of the offset in both directions, on logarithmic scales of the window.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>

namespace poslab {

/// v = sign(u) log2(1 + |u|) / log2(8), u = 8 offset / (window - 1), in either direction.
inline std::array<double, 2> log_spaced(double rows, double columns, const std::vector<double>& window) {
  const auto spaced = [](double offset, double extent) {
    const double u = 8 * offset / (extent - 1);
    return std::copysign(std::log2(1 + std::abs(u)) / 3, u);
  };
  return {spaced(rows, window[0]), spaced(columns, window[1])};
}

/// heads[h] = sum_m w_out[m, h] relu(w_in[m] . v + b[m])
template <class S, class Matrix, class Vector>
void network_of_offset(const std::array<double, 2>& v, const Matrix& w_in, const Vector& b, const Matrix& w_out,
                       Row<S> heads) {
  for (S& head : heads) head = S(0);
  for (Index m = 0; m < w_in.shape(0); ++m) {
    const S unit = S(w_in(m, 0)) * S(v[0]) + S(w_in(m, 1)) * S(v[1]) + S(b(m));
    if (value_of(unit) > 0)
      add_scaled(heads, unit, w_out.row(m));  // relu, with the slope 0 at 0 as in the authors' code
  }
}

/// heads[h] = 16 sigmoid(network)
template <class S, class Matrix, class Vector>
void continuous_bias(const std::array<double, 2>& v, const Matrix& w_in, const Vector& b, const Matrix& w_out,
                     Row<S> heads) {
  network_of_offset<S>(v, w_in, b, w_out, heads);
  for (S& head : heads) head = S(16) * sigmoid(head);
}

/// From the gradient by the heads, which is used up, to that by the network's three weights.
template <class S>
void add_continuous_bias_gradient(const std::array<double, 2>& v, Weights<const S> w, Row<double> by_heads,
                                  Weights<S> dw) {
  std::vector<double> heads(by_heads.size());
  network_of_offset<double>(v, w[0], w[1], w[2], heads);
  for (std::size_t h = 0; h < heads.size(); ++h)
    by_heads[h] *= 16 * sigmoid(heads[h]) * sigmoid(-heads[h]);  // no 1 - sigmoid: it would be 0 where sigmoid is 1
  for (Index m = 0; m < w[0].shape(0); ++m) {
    const double unit = w[0](m, 0) * v[0] + w[0](m, 1) * v[1] + w[1](m);
    if (unit <= 0) continue;
    add_scaled(dw[2].row(m), S(unit), by_heads);
    const S by_unit = S(dot(w[2].row(m), by_heads));
    dw[0](m, 0) += by_unit * S(v[0]);
    dw[0](m, 1) += by_unit * S(v[1]);
    dw[1](m) += by_unit;
  }
}

}  // namespace poslab
