// SPDX-License-Identifier: Apache-2.0
// For a `score` that needs the same queries or keys rotated in more than one way: copies of all rows, each rotated by
// its own position. Not part of <poslab/scheme.hpp>: #include <poslab/sdk/rotated_rows.hpp>.
// Dimension letters: N rows, H heads, K head width, P planes.
#pragma once

#include <span>
#include <vector>

#include "poslab/sdk/leaves.hpp"
#include "poslab/sdk/rotation.hpp"
#include "poslab/sdk/trigonometry.hpp"

namespace poslab {

/// Row n of every head of x [H, N, K] rotated by the angles position_of(n) * frequency[m]; pairs beyond the P planes
/// stay.
template <class S>
class RotatedRows {
 public:
  template <class PositionOf>
  RotatedRows(const Tensor<const S>& x, Pairing pairing, std::span<const double> frequency, PositionOf position_of)
      : N_(x.shape(1)), K_(static_cast<std::size_t>(x.shape(2))) {
    const std::size_t P = frequency.size();
    std::vector<double> exact_cosines(P), exact_sines(P);
    std::vector<S> cosines(P), sines(P);
    rows_.resize(static_cast<std::size_t>(x.size()));
    for (Index n = 0; n < N_; ++n) {
      sines_and_cosines(position_of(n), frequency, exact_sines, exact_cosines);
      for (std::size_t m = 0; m < P; ++m) cosines[m] = S(exact_cosines[m]), sines[m] = S(exact_sines[m]);
      for (Index h = 0; h < x.shape(0); ++h) {
        S* const row = rows_.data() + first(h, n);
        const auto source = x.row(h, n);
        for (std::size_t k = 0; k < K_; ++k) row[k] = source[k];
        sdk::rotate_row(pairing, row, cosines.data(), sines.data(), static_cast<Index>(P));
      }
    }
  }

  Row<const S> row(Index h, Index n) const { return {rows_.data() + first(h, n), K_}; }

 private:
  std::size_t first(Index h, Index n) const { return static_cast<std::size_t>(h * N_ + n) * K_; }

  Index N_;
  std::size_t K_;
  std::vector<S> rows_;
};

}  // namespace poslab
