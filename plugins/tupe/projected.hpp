// SPDX-License-Identifier: Apache-2.0
// Rows of a table, normalised (LayerNorm) and projected, and the way back.
// Dimension letters: N rows, D model width.
#pragma once

#include <cmath>
#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/many_rows.hpp>

namespace poslab {

/// The arrays behind it, each of them [D] but `table` [rows, D] and `projection` [D, D].
template <class S>
struct ProjectionArrays {
  const Tensor<S>&table, &gain, &shift, &projection, &constant;
};

template <class S>
class Projected {
 public:
  static constexpr double eps = 1e-5;

  /// y = gain (x - mean) / sqrt(variance + eps) + shift, out = projection y + constant, for x = table[rows[n]].
  Projected(const std::vector<Index>& rows, const ProjectionArrays<const S>& w)
      : rows_(rows), D_(static_cast<std::size_t>(w.table.shape(1))) {
    std::vector<S> y(D_);
    for (const Index row : rows) {
      normalise(w.table.row(row));
      const S* const unit = units_.data() + units_.size() - D_;
      for (std::size_t d = 0; d < D_; ++d) y[d] = w.gain(d) * unit[d] + w.shift(d);
      for_dots(
          y, static_cast<Index>(D_), [&](Index c) { return w.projection.row(c); },
          [&](Index c, const S& product) { projected_.push_back(product + w.constant(c)); });
    }
  }

  /// The part of row n for head h, `K` wide.
  Row<const S> row(std::size_t n, Index h, Index K) const {
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the constructor sets D_
    return {projected_.data() + n * D_ + static_cast<std::size_t>(h * K), static_cast<std::size_t>(K)};
  }

  /// Adds to the arrays' gradients, given that of every projected row [N, D].
  void add_gradient(const std::vector<S>& given, const ProjectionArrays<const S>& w,
                    const ProjectionArrays<S>& dw) const {
    std::vector<S> by_y(D_), y(units_.size()), by_unit(D_);
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const Row<const S> by_out(given.data() + n * D_, D_), unit(units_.data() + n * D_, D_);
      std::fill(by_y.begin(), by_y.end(), S(0));
      for (std::size_t d = 0; d < D_; ++d) y[n * D_ + d] = w.gain(d) * unit[d] + w.shift(d);
      add_scaled_rows(
          by_y, static_cast<Index>(D_), [&](Index c) { return by_out[static_cast<std::size_t>(c)]; },
          [&](Index c) { return w.projection.row(c); });
      add_scaled(dw.constant.row(), S(1), by_out);
      add_scaled(dw.shift.row(), S(1), by_y);
      for (std::size_t d = 0; d < D_; ++d) {
        dw.gain(d) += by_y[d] * unit[d];
        by_unit[d] = by_y[d] * w.gain(d);
      }
      // unit has mean 0 and variance 1 whatever x is: what would change them does not reach x.
      const S along = dot(by_unit, unit) / S(D_), mean = sum(by_unit) / S(D_);
      for (std::size_t d = 0; d < D_; ++d)
        dw.table(rows_[n], d) += (by_unit[d] - mean - unit[d] * along) / deviations_[n];
    }
    for (std::size_t c = 0; c < D_; ++c)
      add_scaled_rows(
          dw.projection.row(static_cast<Index>(c)), static_cast<Index>(rows_.size()),
          [&](Index n) { return given[static_cast<std::size_t>(n) * D_ + c]; },
          [&](Index n) { return Row<const S>(y.data() + static_cast<std::size_t>(n) * D_, D_); });
  }

 private:
  // Appends (x - mean) / sqrt(variance + eps), and that square root.
  void normalise(const auto& x) {
    const S mean = sum(x) / S(static_cast<double>(D_));
    S squares = S(0);
    for (std::size_t d = 0; d < D_; ++d) squares += (x[d] - mean) * (x[d] - mean);
    deviations_.push_back(sqrt(squares / S(static_cast<double>(D_)) + S(eps)));
    for (std::size_t d = 0; d < D_; ++d) units_.push_back((x[d] - mean) / deviations_.back());
  }
  static S sum(const auto& x) {
    S total = S(0);
    for (std::size_t d = 0; d < x.size(); ++d) total += x[d];
    return total;
  }

  std::vector<Index> rows_;
  std::size_t D_;
  std::vector<S> units_, deviations_, projected_;  // [N, D], [N], [N, D]
};

}  // namespace poslab
