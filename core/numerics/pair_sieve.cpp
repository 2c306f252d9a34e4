// SPDX-License-Identifier: Apache-2.0
#include "bounded_pairs.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>

namespace poslab::numerics {
using base::at;
namespace {

constexpr Index tile = 256;  // rows: a tile of products fits the second-level cache
// A full check of a pair costs about this many times a bound per column: it is not blocked.
constexpr Index check_cost = 8;

struct Scratch {
  base::Array<float> product{tile, tile};
  std::array<float, tile> limit_i, limit_j, best_j;
  std::array<std::int32_t, tile> survivors;  // of each row of the tile
};

class Tile {
 public:
  Tile(const ColumnBound& bound, Limits& limits, Scratch& scratch, Index first_i, Index first_j)
      : bound_(bound),
        limits_(limits),
        scratch_(scratch),
        first_i_(first_i),
        first_j_(first_j),
        I_(std::min(tile, bound.rows() - first_i)),
        J_(std::min(tile, bound.rows() - first_j)) {}

  void sieve(const std::function<void(Index, Index)>& visit) {
    read_limits();
    for (Index stage = 0; stage < bound_.stages(); ++stage) {
      bound_.add_products(stage, first_i_, I_, first_j_, J_, scratch_.product.data());
      const bool is_last = stage + 1 == bound_.stages();
      if (is_last) tighten();
      const Index survivors = count(stage);
      if (survivors == 0) return;
      if (is_last || survivors * check_cost * width() <=
                         I_ * J_ * (bound_.columns_until(stage + 1) - bound_.columns_until(stage))) {
        visit_survivors(stage, visit);
        return;
      }
    }
  }

 private:
  Index width() const { return bound_.columns_until(bound_.stages() - 1); }
  // In a tile on the diagonal each pair counts once.
  Index begin_j(Index i) const { return first_i_ == first_j_ ? i + 1 : 0; }

  void read_limits() {
    for (Index i = 0; i < I_; ++i) scratch_.limit_i[at(i)] = limits_.of(first_i_ + i);
    for (Index j = 0; j < J_; ++j) scratch_.limit_j[at(j)] = limits_.of(first_j_ + j);
  }

  // With all columns seen, an upper bound of a row's nearest distance limits what else may matter.
  void tighten() {
    const float* high_i = bound_.high() + first_i_;
    const float* high_j = bound_.high() + first_j_;
    float* best_j = scratch_.best_j.data();
    std::fill_n(best_j, tile, std::numeric_limits<float>::infinity());
    for (Index i = 0; i < I_; ++i) {
      const float* p = scratch_.product.data() + i * J_;
      float best = std::numeric_limits<float>::infinity();
      for (Index j = begin_j(i); j < J_; ++j) {
        const float upper = high_i[i] + high_j[j] - 2 * p[j];
        best = std::min(best, upper);
        best_j[j] = std::min(best_j[j], upper);
      }
      limits_.lower(first_i_ + i, slack(best));
    }
    for (Index j = 0; j < J_; ++j) limits_.lower(first_j_ + j, slack(best_j[j]));
    read_limits();
  }
  // Above any tie, and above what float32 cannot hold.
  static float slack(float upper) { return upper * (1 + 0x1p-20f) + 1e-36f; }

  Index count(Index stage) {
    const float* low_i = bound_.low(stage) + first_i_;
    const float* low_j = bound_.low(stage) + first_j_;
    const float* limit_j = scratch_.limit_j.data();
    Index survivors = 0;
    for (Index i = 0; i < I_; ++i) {
      const float* p = scratch_.product.data() + i * J_;
      const float limit_i = scratch_.limit_i[at(i)];
      std::int32_t in_row = 0;
      for (Index j = begin_j(i); j < J_; ++j) in_row += low_i[i] + low_j[j] - 2 * p[j] <= std::max(limit_i, limit_j[j]);
      scratch_.survivors[at(i)] = in_row;
      survivors += in_row;
    }
    return survivors;
  }

  void visit_survivors(Index stage, const std::function<void(Index, Index)>& visit) const {
    const float* low_i = bound_.low(stage) + first_i_;
    const float* low_j = bound_.low(stage) + first_j_;
    for (Index i = 0; i < I_; ++i) {
      if (scratch_.survivors[at(i)] == 0) continue;
      const float* p = scratch_.product.data() + i * J_;
      const float limit_i = scratch_.limit_i[at(i)];
      for (Index j = begin_j(i); j < J_; ++j) {
        const float lower = low_i[i] + low_j[j] - 2 * p[j];
        if (lower > std::max(limit_i, scratch_.limit_j[at(j)])) continue;
        // Limits may have fallen since they were read.
        if (lower <= std::max(limits_.of(first_i_ + i), limits_.of(first_j_ + j))) visit(first_i_ + i, first_j_ + j);
      }
    }
  }

  const ColumnBound& bound_;
  Limits& limits_;
  Scratch& scratch_;
  Index first_i_, first_j_, I_, J_;
};

}  // namespace

void sieve_pairs(const ColumnBound& bound, Limits& limits, const std::function<void(Index, Index)>& visit) {
  const Index blocks = (bound.rows() + tile - 1) / tile;
  std::vector<std::pair<Index, Index>> tiles;
  // Rows that are near each other in the table first: they are the likeliest to lower the limits.
  for (Index apart = 0; apart < blocks; ++apart)
    for (Index block = 0; block + apart < blocks; ++block) tiles.emplace_back(block * tile, (block + apart) * tile);
  tbb::enumerable_thread_specific<Scratch> scratches;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, tiles.size(), 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t t = range.begin(); t < range.end(); ++t)
          Tile(bound, limits, scratches.local(), tiles[t].first, tiles[t].second).sieve(visit);
      },
      tbb::simple_partitioner());
}

}  // namespace poslab::numerics
