// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/class_spread.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>

#include "poslab/numerics/inner_product.hpp"

namespace poslab::numerics {
namespace {

// Lowest and highest score of each class in each head; of no score, +infinity and -infinity.
template <class S>
struct Extremes {
  base::Array<S> lowest, highest;  // [H, classes]

  Extremes(Index heads, Index classes) : lowest{heads, classes}, highest{heads, classes} {
    lowest.fill(std::numeric_limits<S>::infinity());
    highest.fill(-std::numeric_limits<S>::infinity());
  }
  void add(Index head, const S* scores, const Class* class_of, Index count) {
    S* low = &lowest(head, 0);
    S* high = &highest(head, 0);
    for (Index n = 0; n < count; ++n) {
      low[class_of[n]] = std::min(low[class_of[n]], scores[n]);
      high[class_of[n]] = std::max(high[class_of[n]], scores[n]);
    }
  }
  void merge(const Extremes& other) {
    for (Index i = 0; i < lowest.size(); ++i) {
      lowest.data()[i] = std::min(lowest.data()[i], other.lowest.data()[i]);
      highest.data()[i] = std::max(highest.data()[i], other.highest.data()[i]);
    }
  }
  double spread(Index head, Index of_class) const {
    const S low = lowest(head, of_class), high = highest(head, of_class);
    return low <= high ? static_cast<double>(high) - static_cast<double>(low) : 0;
  }
};

}  // namespace

double ClassSpread::largest() const { return spread.empty() ? 0 : *std::max_element(spread.begin(), spread.end()); }

template <class S>
ClassSpread class_spread(Index heads, Index positions, const std::vector<Class>& class_of, Index classes,
                         const ScoreRows<S>& rows, Index numbers_at_once) {
  const Index H = heads, N = positions;
  if (N == 0 || H == 0) return {};
  const Index at_once = std::clamp<Index>(numbers_at_once / (H * N), 1, N);  // rows
  const Index tiles = (N + at_once - 1) / at_once;
  struct Scratch {
    base::Array<S> rows;
    Extremes<S> extremes;
  };
  tbb::enumerable_thread_specific<Scratch> scratches([&] {
    return Scratch{base::Array<S>{H, at_once, N}, Extremes<S>(H, classes)};
  });
  std::vector<double> squares(static_cast<std::size_t>(tiles), 0.0);
  const auto add_tile = [&](Index tile) {
    Scratch& scratch = scratches.local();
    const Index first = tile * at_once, count = std::min(at_once, N - first);
    const View<S> out(scratch.rows.data(), {H, count, N});
    // A thread that waits inside `rows` must not begin another tile in the same scratch.
    tbb::this_task_arena::isolate([&] { rows(first, out); });
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < count; ++m) {
        const S* row = &out(h, m, 0);
        scratch.extremes.add(h, row, class_of.data() + (first + m) * N, N);
        squares[base::at(tile)] += sum_of_squares(row, N);
      }
  };
  tbb::parallel_for(
      tbb::blocked_range<Index>(0, tiles, 1),
      [&](const tbb::blocked_range<Index>& range) {
        for (Index tile = range.begin(); tile < range.end(); ++tile) add_tile(tile);
      },
      tbb::simple_partitioner());

  Extremes<S> all(H, classes);
  for (const Scratch& scratch : scratches) all.merge(scratch.extremes);
  ClassSpread found;
  for (Index c = 0; c < classes; ++c) {
    double largest = 0;
    for (Index h = 0; h < H; ++h) largest = std::max(largest, all.spread(h, c));
    found.spread.push_back(largest);
  }
  for (const double part : squares) found.mean_square += part;
  found.mean_square /= static_cast<double>(H) * static_cast<double>(N) * static_cast<double>(N);
  return found;
}

template ClassSpread class_spread(Index, Index, const std::vector<Class>&, Index, const ScoreRows<double>&, Index);
template ClassSpread class_spread(Index, Index, const std::vector<Class>&, Index, const ScoreRows<float>&, Index);

}  // namespace poslab::numerics
