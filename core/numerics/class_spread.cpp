// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/class_spread.hpp"

#include <algorithm>
#include <limits>

#include "score_rows.hpp"

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
                         const ScoreRows<S>& rows, Index numbers_at_once, Pairs pairs) {
  const Index H = heads, N = positions;
  if (N == 0 || H == 0) return {};
  tbb::enumerable_thread_specific<Extremes<S>> of_threads([&] { return Extremes<S>(H, classes); });
  ClassSpread found;
  found.mean_square = fold_score_rows<S>(H, N, pairs, rows, numbers_at_once, of_threads,
                                         [&](Extremes<S>& extremes, Index h, Index m, const S* row, Index count) {
                                           extremes.add(h, row, class_of.data() + m * N, count);
                                         });
  Extremes<S> all(H, classes);
  for (const Extremes<S>& extremes : of_threads) all.merge(extremes);
  for (Index c = 0; c < classes; ++c) {
    double largest = 0;
    for (Index h = 0; h < H; ++h) largest = std::max(largest, all.spread(h, c));
    found.spread.push_back(largest);
  }
  return found;
}

template ClassSpread class_spread(Index, Index, const std::vector<Class>&, Index, const ScoreRows<double>&, Index,
                                  Pairs);
template ClassSpread class_spread(Index, Index, const std::vector<Class>&, Index, const ScoreRows<float>&, Index,
                                  Pairs);

}  // namespace poslab::numerics
