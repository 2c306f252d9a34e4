// SPDX-License-Identifier: Apache-2.0
// Queries or keys divided by their lengths, for cosines; and what a gradient by the quotients is by the vectors.
// Dimension letters: H heads, N rows of each, K head width.
#pragma once

#include <cstddef>
#include <vector>

#include <poslab/scheme.hpp>

namespace poslab {

template <class S>
class UnitRows {
 public:
  explicit UnitRows(const Tensor<const S>& vectors) : N_(vectors.shape(1)), K_(vectors.shape(2)) {  // [H, N, K]
    for (Index h = 0; h < vectors.shape(0); ++h)
      for (Index n = 0; n < N_; ++n) {
        const auto row = vectors.row(h, n);
        const S squares = dot(row, row);
        lengths_.push_back(value_of(squares) > shortest * shortest ? sqrt(squares) : S(shortest));
        for (std::size_t k = 0; k < row.size(); ++k) rows_.push_back(row[k] / lengths_.back());
      }
  }
  Row<const S> row(Index h, Index n) const { return {rows_.data() + first(h, n), static_cast<std::size_t>(K_)}; }

  /// For the gradient by the quotients.
  std::vector<S> zeros() const { return std::vector<S>(rows_.size(), S(0)); }
  Row<S> row_of(std::vector<S>& by_rows, Index h, Index n) const {
    return {by_rows.data() + first(h, n), static_cast<std::size_t>(K_)};
  }

  /// Adds to the gradient by the vectors: what lies along a vector changes its length alone, and is left out.
  void pass_on(std::vector<S>& by_rows, const Tensor<S>& by_vectors) const {
    for (Index h = 0; h < by_vectors.shape(0); ++h)
      for (Index n = 0; n < N_; ++n) {
        const Row<S> by = row_of(by_rows, h, n);
        const S length = lengths_[static_cast<std::size_t>(h * N_ + n)];
        if (length > S(shortest)) add_scaled(by, -dot(row(h, n), by), row(h, n));
        add_scaled(by_vectors.row(h, n), S(1) / length, by);
      }
  }

 private:
  static constexpr double shortest = 1e-12;  // shorter ones count as that long, as published
  Index first(Index h, Index n) const { return (h * N_ + n) * K_; }
  Index N_, K_;
  std::vector<S> rows_, lengths_;  // [H, N, K], [H, N]
};

}  // namespace poslab
