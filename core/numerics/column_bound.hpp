// SPDX-License-Identifier: Apache-2.0
// Lower bounds of squared distances from some of the columns, in float32 with a margin for every rounding: no bound is
// ever above the true squared distance. Columns come in order of how well they tell rows apart, in stages.
// Dimension letters: U rows, W columns.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;

class ColumnBound {
 public:
  /// rows[i] points to W finite numbers.
  template <class S>
  ColumnBound(const std::vector<const S*>& rows, Index width);

  Index rows() const { return rows_; }
  Index stages() const { return static_cast<Index>(stage_end_.size()); }
  /// Columns of stages 0 .. stage.
  Index columns_until(Index stage) const { return stage_end_[static_cast<std::size_t>(stage)]; }

  /// Converts a squared distance to the units of the bounds, rounded up (all rows are scaled by one power of two).
  float to_limit(double squared_distance) const;

  /// product [I, J], row-major: inner products of rows first_i .. and rows first_j .. over one stage's columns,
  /// written at stage 0, added after.
  void add_products(Index stage, Index first_i, Index I, Index first_j, Index J, float* product) const;

  /// With p = the product of two rows after `stage`: low(i) + low(j) - 2 p is a lower bound of their scaled squared
  /// distance. At the last stage high(i) + high(j) - 2 p is an upper bound too.
  const float* low(Index stage) const { return low_.data() + stage * rows_; }
  const float* high() const { return high_.data(); }

 private:
  template <class S>
  std::vector<Index> column_order(const std::vector<const S*>& rows) const;

  Index rows_, width_;
  double scale_ = 1;
  std::vector<Index> stage_end_;
  base::Array<float> columns_;  // [U, W] centred, scaled, in order
  base::Array<float> low_;      // [stages, U]
  base::Array<float> high_;     // [U]
};

}  // namespace poslab::numerics
