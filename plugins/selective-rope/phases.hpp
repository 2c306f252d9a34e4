// SPDX-License-Identifier: Apache-2.0
// By how much every token rotates every plane of every head:
//   phi = convolution(up . down . x / |x|) [times sigmoid(gate)],   x / |x| head by head
// Dimension letters: N tokens, D model width, H heads, K head width, P = K / 2 planes.
#pragma once

#include <algorithm>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/activation.hpp>
#include <poslab/sdk/running_sum.hpp>

namespace poslab {

/// Those that a variant does not have are empty.
template <class S>
struct PhaseWeights {
  Tensor<const S> down, up, taps;   // [rank, D], [H P, rank], [H P, taps]
  Tensor<const S> gate, gate_bias;  // [H, D], [H]
};

/// x / sqrt(|x|^2 + epsilon), for the part of x that belongs to each head.
template <class S, class Input>
std::vector<S> normalised(const Input& x, Index H, double epsilon) {
  const std::size_t K = x.size() / static_cast<std::size_t>(H);
  std::vector<S> out;
  for (std::size_t first = 0; first < x.size(); first += K) {
    S square(epsilon);
    for (std::size_t k = first; k < first + K; ++k) square += x[k] * x[k];
    const S size = sqrt(square);
    for (std::size_t k = first; k < first + K; ++k) out.push_back(x[k] / size);
  }
  return out;
}

/// phi [N, H P].
template <class S>
std::vector<S> phases(const PhaseWeights<S>& w, const Tensor<const S>& x, Index H, double epsilon) {
  const Index N = x.shape(0), HP = w.up.shape(0), P = HP / H, width = w.taps.rank() > 0 ? w.taps.shape(1) : 0;
  std::vector<S> projected, gates, phi, low(static_cast<std::size_t>(w.down.shape(0)));
  for (Index t = 0; t < N; ++t) {
    const std::vector<S> input = normalised<S>(x.row(t), H, epsilon);
    for (std::size_t c = 0; c < low.size(); ++c) low[c] = dot(w.down.row(static_cast<Index>(c)), input);
    for (Index c = 0; c < HP; ++c) projected.push_back(dot(w.up.row(c), low));
    if (w.gate.rank() == 0) continue;
    for (Index h = 0; h < H; ++h) gates.push_back(sigmoid(S(dot(w.gate.row(h), input) + w.gate_bias(h))));
  }
  for (Index t = 0; t < N; ++t)
    for (Index c = 0; c < HP; ++c) {
      const auto at = [&](Index token) { return projected[static_cast<std::size_t>(token * HP + c)]; };
      S angle = width == 0 ? at(t) : S(0);
      for (Index back = 0; back < std::min(width, t + 1); ++back)  // the last tap is for the token itself
        angle += w.taps(c, width - 1 - back) * at(t - back);
      if (!gates.empty()) angle *= gates[static_cast<std::size_t>(t * H + c / P)];
      phi.push_back(angle);
    }
  return phi;
}

}  // namespace poslab
