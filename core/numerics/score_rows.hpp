// SPDX-License-Identifier: Apache-2.0
// Scores that come in rows, a tile of rows at a time on all threads: the mean of their squares, while each thread folds
// them into something of its own.
// Dimension letters: N positions, H heads.
#pragma once

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <vector>

#include "poslab/numerics/diagonal_spread.hpp"
#include "poslab/numerics/inner_product.hpp"

namespace poslab::numerics {

/// fold(kept, h, m, row, n) of every head and row, `kept` being the thread's own; of the row [N] the first n are looked
/// at. The mean is the same bits on any
/// number of threads. N, H >= 1.
template <class S, class Kept, class Fold>
double fold_score_rows(Index H, Index N, Pairs pairs, const ScoreRows<S>& rows, Index numbers_at_once,
                       tbb::enumerable_thread_specific<Kept>& kept, const Fold& fold) {
  const Index at_once = std::clamp<Index>(numbers_at_once / (H * N), 1, N);  // rows
  const Index tiles = (N + at_once - 1) / at_once;
  tbb::enumerable_thread_specific<base::Array<S>> scratches([&] { return base::Array<S>{H, at_once, N}; });
  std::vector<double> squares(static_cast<std::size_t>(tiles), 0.0);
  const auto add_tile = [&](Index tile) {
    const Index first = tile * at_once, count = std::min(at_once, N - first);
    const View<S> out(scratches.local().data(), {H, count, N});
    Kept& own = kept.local();
    // A thread that waits inside `rows` must not begin another tile in the same scratch.
    tbb::this_task_arena::isolate([&] { rows(first, out); });
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < count; ++m) {
        const S* row = &out(h, m, 0);
        const Index n = pairs == Pairs::causal ? first + m + 1 : N;
        fold(own, h, first + m, row, n);
        squares[base::at(tile)] += sum_of_squares(row, n);
      }
  };
  tbb::parallel_for(
      tbb::blocked_range<Index>(0, tiles, 1),
      [&](const tbb::blocked_range<Index>& range) {
        for (Index tile = range.begin(); tile < range.end(); ++tile) add_tile(tile);
      },
      tbb::simple_partitioner());
  double sum = 0;
  for (const double part : squares) sum += part;
  return sum / (static_cast<double>(H) * count_of(pairs, N));
}

}  // namespace poslab::numerics
