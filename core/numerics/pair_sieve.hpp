// SPDX-License-Identifier: Apache-2.0
// All pairs of rows that bounds cannot rule out, visited on all threads, tile by tile.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "column_bound.hpp"

namespace poslab::numerics {

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
  float of(Index row) const { return values_[static_cast<std::size_t>(row * step_)].load(std::memory_order_relaxed); }
  void lower(Index row, float limit) {
    std::atomic<float>& value = values_[static_cast<std::size_t>(row * step_)];
    limit = std::max(limit, floors_[static_cast<std::size_t>(row * step_)]);
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
