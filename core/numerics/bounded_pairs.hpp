// SPDX-License-Identifier: Apache-2.0
// All pairs of rows that bounds cannot rule out, visited on all threads, tile by tile.
// Dimension letters: U rows, W columns.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::numerics {

using base::Index;

/// Lower bounds of squared distances from some of the columns, in float32 with a margin for every rounding: no bound is
/// ever above the true squared distance. Columns come in order of how well they tell rows apart, in stages.
class ColumnBound {
 public:
  /// rows[i] points to W finite numbers.
  template <class S>
  ColumnBound(const std::vector<const S*>& rows, Index width);

  Index rows() const { return rows_; }
  Index stages() const { return static_cast<Index>(stage_end_.size()); }
  /// Columns of stages 0 .. stage.
  Index columns_until(Index stage) const { return stage_end_[base::at(stage)]; }

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

/// How far apart two rows may be to matter still, as scaled squared distances. Limits only fall, and never below their
/// floor; a thread that reads an old one visits more pairs than needed and misses none.
class Limits {
 public:
  /// One limit a row; or one for all.
  enum class Per { row, table };
  /// `floors`: one a row, or one for all.
  Limits(Index rows, Per per, std::vector<float> floors)
      : values_(per == Per::row ? static_cast<std::size_t>(rows) : 1),
        floors_(std::move(floors)),
        step_(per == Per::row) {
    for (auto& value : values_) value.store(std::numeric_limits<float>::infinity(), std::memory_order_relaxed);
  }
  float of(Index row) const { return values_[base::at(row * step_)].load(std::memory_order_relaxed); }
  void lower(Index row, float limit) {
    std::atomic<float>& value = values_[base::at(row * step_)];
    limit = std::max(limit, floors_[base::at(row * step_)]);
    float now = value.load(std::memory_order_relaxed);
    while (limit < now && !value.compare_exchange_weak(now, limit, std::memory_order_relaxed)) {
    }
  }

 private:
  std::vector<std::atomic<float>> values_;
  std::vector<float> floors_;
  Index step_;
};

/// Calls visit(i, j), i < j, for every pair whose squared distance may be at most max(limits.of(i), limits.of(j)).
/// `visit` runs on many threads at once and may lower limits.
void sieve_pairs(const ColumnBound& bound, Limits& limits, const std::function<void(Index, Index)>& visit);

}  // namespace poslab::numerics
