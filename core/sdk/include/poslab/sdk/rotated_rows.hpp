// SPDX-License-Identifier: Apache-2.0
// For a `score` that needs the same queries or keys rotated in more than one way: copies of all rows, each rotated by
// its own position. Not part of <poslab/scheme.hpp>: #include <poslab/sdk/rotated_rows.hpp>.
// Dimension letters: N rows, H heads, K head width, P planes.
#pragma once

#include <span>
#include <vector>

#include "poslab/sdk/leaves.hpp"
#include "poslab/sdk/rotation.hpp"
#include "poslab/sdk/rows.hpp"
#include "poslab/sdk/trigonometry.hpp"

namespace poslab {

/// Row n of every head of x [H, N, K] rotated by the angles position_of(n) * frequency[m]; pairs beyond the P planes
/// stay.
template <class S>
class RotatedRows {
 public:
  template <class PositionOf>
  RotatedRows(const Tensor<const S>& x, Pairing pairing, std::span<const double> frequency, PositionOf position_of)
      : pairing_(pairing),
        P_(static_cast<Index>(frequency.size())),
        N_(x.shape(1)),
        K_(static_cast<std::size_t>(x.shape(2))) {
    const std::size_t P = frequency.size();
    std::vector<double> exact_cosines(P), exact_sines(P);
    cosines_.reserve(static_cast<std::size_t>(N_) * P);
    sines_.reserve(static_cast<std::size_t>(N_) * P);
    rows_.resize(static_cast<std::size_t>(x.size()));
    for (Index n = 0; n < N_; ++n) {
      sines_and_cosines(position_of(n), frequency, exact_sines, exact_cosines);
      for (std::size_t m = 0; m < P; ++m) {
        cosines_.push_back(S(exact_cosines[m]));
        sines_.push_back(S(exact_sines[m]));
      }
      for (Index h = 0; h < x.shape(0); ++h) {
        S* const row = rows_.data() + first(h, n);
        const auto source = x.row(h, n);
        for (std::size_t k = 0; k < K_; ++k) row[k] = source[k];
        sdk::rotate_row(pairing, row, cosines_.data() + n * P_, sines_.data() + n * P_, P_);
      }
    }
  }

  Row<const S> row(Index h, Index n) const { return {rows_.data() + first(h, n), K_}; }

  /// The gradient by these rows, while it is summed row by row.
  class Gradient {
   public:
    explicit Gradient(const RotatedRows& of) : of_(of), rows_(of.rows_.size(), S(0)) {}
    Row<S> row(Index h, Index n) { return {rows_.data() + of_.first(h, n), of_.K_}; }

    /// by_x += the sums, rotated back.
    void add_to(const Tensor<S>& by_x) {
      std::vector<S> backwards(static_cast<std::size_t>(of_.P_));
      for (Index n = 0; n < of_.N_; ++n) {
        for (Index m = 0; m < of_.P_; ++m)
          backwards[static_cast<std::size_t>(m)] = -of_.sines_[static_cast<std::size_t>(n * of_.P_ + m)];
        for (Index h = 0; h < by_x.shape(0); ++h) {
          sdk::rotate_row(of_.pairing_, row(h, n).data(), of_.cosines_.data() + n * of_.P_, backwards.data(), of_.P_);
          add_scaled(by_x.row(h, n), S(1), row(h, n));
        }
      }
    }

   private:
    const RotatedRows& of_;
    std::vector<S> rows_;
  };

 private:
  std::size_t first(Index h, Index n) const { return static_cast<std::size_t>(h * N_ + n) * K_; }

  Pairing pairing_;
  Index P_, N_;
  std::size_t K_;
  std::vector<S> rows_;             // [H, N, K]
  std::vector<S> cosines_, sines_;  // [N, P]
};

}  // namespace poslab
