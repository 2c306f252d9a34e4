// SPDX-License-Identifier: Apache-2.0
// How much the position score varies among the pairs of one offset, as softmax sees it: a bias of the key's position is
// one of the offset plus a number for each query.
// Dimension letters: N positions, R offsets, H heads.
#include <algorithm>
#include <limits>

#include "parts.hpp"
#include "poslab/attention/position_score.hpp"

namespace poslab::experiments::relative_shift {
namespace {

// The extremes of one head, by the number of the offset.
struct Extremes {
  std::vector<double> lowest, highest;

  explicit Extremes(std::size_t R)
      : lowest(R, std::numeric_limits<double>::infinity()), highest(R, -std::numeric_limits<double>::infinity()) {}
  void add(Index offset, double x) {
    const auto r = static_cast<std::size_t>(offset);
    lowest[r] = std::min(lowest[r], x);
    highest[r] = std::max(highest[r], x);
  }
  double largest() const {  // an offset of no pair has none
    double spread = 0;
    for (std::size_t r = 0; r < lowest.size(); ++r) spread = std::max(spread, highest[r] - lowest[r]);
    return spread;
  }
};

}  // namespace

template <class S>
double attended_spread(const Setting<S>& setting, const PositionSpread& along, double rounding) {
  const Index N = setting.positions.shape[0];
  if (along.spread[base::at(along.offset_of(0, 0, N))] <= rounding) return along.largest;
  const attention::PositionScores<S> scores(setting.scheme, setting.context, setting.positions,
                                            {setting.weights.begin(), setting.weights.end()});
  std::vector<Extremes> of_heads(static_cast<std::size_t>(scores.heads()), Extremes(along.spread.size()));
  Array<S> row{scores.heads(), 1, N};
  for (const Index m : some_tokens(N)) {
    scores.rows(m, row);
    for (Index h = 0; h < scores.heads(); ++h)
      for (Index n = 0; n < setting.keys_seen(m, N); ++n)
        of_heads[base::at(h)].add(along.offset_of(m, n, N),
                                  static_cast<double>(row(h, 0, n)) - static_cast<double>(row(h, 0, m)));
  }
  double largest = 0;
  for (const Extremes& head : of_heads) largest = std::max(largest, head.largest());
  return largest;
}

template double attended_spread(const Setting<double>&, const PositionSpread&, double);
template double attended_spread(const Setting<float>&, const PositionSpread&, double);

}  // namespace poslab::experiments::relative_shift
