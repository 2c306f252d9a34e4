// SPDX-License-Identifier: Apache-2.0
// How much the position score varies among the pairs of tokens that are one offset apart.
// Dimension letters: N positions, M positions of the window, A axes, R offsets.
#include <algorithm>
#include <limits>

#include "parts.hpp"
#include "poslab/attention/position_score.hpp"
#include "poslab/experiment/rotation_claim.hpp"
#include "poslab/numerics/class_spread.hpp"
#include "poslab/numerics/diagonal_spread.hpp"
#include "relative-shift.hpp"

namespace poslab::experiments::relative_shift {
namespace {

constexpr double hidden = std::numeric_limits<double>::quiet_NaN();  // the spread of pairs that the mask hides

// The cell of a grid is in the first corner of `side` cells a side.
bool is_in_corner(View<const double> positions, Index n, Index side) {
  for (Index axis = 0; axis < positions.shape[1]; ++axis)
    if (positions(n, axis) >= static_cast<double>(side)) return false;
  return true;
}

// Differences of all pairs along one axis, in rising order; those that only rounding tells apart are one.
std::vector<double> differences(View<const double> positions, Index axis) {
  std::vector<double> along, all, distinct;
  for (Index n = 0; n < positions.shape[0]; ++n) along.push_back(positions(n, axis));
  std::sort(along.begin(), along.end());
  along.erase(std::unique(along.begin(), along.end()), along.end());
  for (const double m : along)
    for (const double n : along) all.push_back(m - n);
  std::sort(all.begin(), all.end());
  const double rounding = 1e-9 * (along.back() - along.front());
  for (const double difference : all)
    if (distinct.empty() || difference > distinct.back() + rounding) distinct.push_back(difference);
  return distinct;
}

// Which of the differences this is: the last one that is not above it.
Index place_of(const std::vector<double>& distinct, double difference) {
  return std::upper_bound(distinct.begin(), distinct.end(), difference) - distinct.begin() - 1;
}

// Offsets of all pairs of tokens, numbered in rising order, and the number of each pair.
struct PairOffsets {
  Array<double> offsets;                 // [R, A]
  std::vector<numerics::Class> of_pair;  // [N N]
};

PairOffsets pair_offsets(View<const double> positions) {
  const Index N = positions.shape[0], A = positions.shape[1];
  std::vector<std::vector<double>> along;  // [A]
  Index combinations = 1;
  for (Index axis = 0; axis < A; ++axis) {
    along.push_back(differences(positions, axis));
    combinations *= static_cast<Index>(along.back().size());
  }
  PairOffsets pairs;
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n < N; ++n) {
      Index number = 0;
      for (Index axis = 0; axis < A; ++axis) {
        const std::vector<double>& distinct = along[static_cast<std::size_t>(axis)];
        number =
            number * static_cast<Index>(distinct.size()) + place_of(distinct, positions(m, axis) - positions(n, axis));
      }
      pairs.of_pair.push_back(static_cast<numerics::Class>(number));
    }
  pairs.offsets = Array<double>{combinations, A};
  for (Index r = 0; r < combinations; ++r) {
    Index rest = r;
    for (Index axis = A - 1; axis >= 0; --axis) {
      const std::vector<double>& distinct = along[static_cast<std::size_t>(axis)];
      pairs.offsets(r, axis) = distinct[static_cast<std::size_t>(rest) % distinct.size()];
      rest /= static_cast<Index>(distinct.size());
    }
  }
  return pairs;
}

// All pairs; where there are very many, and a certificate says that only rounding spreads them, some rows against all.
template <class S>
numerics::DiagonalSpread product_spread(const attention::PositionScores<S>& scores,
                                        const numerics::RotationClaim& claim, numerics::Pairs pairs) {
  if (scores.positions() > all_pairs_up_to && pairs == numerics::Pairs::all)
    if (auto found = numerics::diagonal_spread_of_rotated<S>(scores.left(), scores.right(), claim))
      return std::move(*found);
  return numerics::diagonal_spread<S>(scores.left(), scores.right(), pairs);
}

// Offsets of which no pair is shown.
void hide(const std::vector<numerics::Class>& of_pair, Index N, std::vector<double>& spread) {
  std::vector<bool> is_seen(spread.size(), false);
  for (Index m = 0; m < N; ++m)
    for (Index n = 0; n <= m; ++n) is_seen[base::at(of_pair[base::at(m * N + n)])] = true;
  for (std::size_t r = 0; r < spread.size(); ++r)
    if (!is_seen[r]) spread[r] = hidden;
}

template <class S>
PositionSpread of_sequence(const attention::PositionScores<S>& scores, const numerics::RotationClaim& claim,
                           Index at_once, numerics::Pairs pairs) {
  const Index N = scores.positions();
  const numerics::DiagonalSpread along =
      scores.is_product()
          ? product_spread(scores, claim, pairs)
          : numerics::diagonal_spread<S>(
                scores.heads(), N, [&](Index first, View<S> out) { scores.rows(first, out); }, at_once, pairs);
  PositionSpread found{Array<double>{2 * N - 1, 1}, along.spread, along.largest(), along.mean_square, {}};
  for (Index r = 0; r < 2 * N - 1; ++r) found.offsets(r, 0) = static_cast<double>(r + 1 - N);
  if (pairs == numerics::Pairs::causal) std::fill_n(found.spread.begin(), N - 1, hidden);
  return found;
}

}  // namespace

Index scores_at_once(const host::Scheme& scheme) { return Index{1} << (scheme.has(host::Operation::score) ? 24 : 21); }

Array<double> window_of(View<const double> positions, const data::Placement& placement) {
  const Index N = positions.shape[0], A = positions.shape[1], side = A == 2 ? 8 : 4;
  std::vector<Index> inside;
  for (Index n = 0; n < N && inside.size() < static_cast<std::size_t>(window_tokens); ++n)
    if (!placement.is_grid() || is_in_corner(positions, n, side)) inside.push_back(n);
  Array<double> window{static_cast<Index>(inside.size()), A};
  for (std::size_t m = 0; m < inside.size(); ++m)
    std::copy_n(&positions(inside[m], 0), A, &window(static_cast<Index>(m), 0));
  return window;
}

template <class S>
PositionSpread position_spread(const Setting<S>& setting) {
  const attention::PositionScores<S> scores(setting.scheme, setting.context, setting.positions,
                                            {setting.weights.begin(), setting.weights.end()});
  const Index at_once = scores_at_once(setting.scheme);
  if (setting.is_plain) {
    numerics::RotationClaim claim = rotation_claim(setting.scheme, {});
    claim.copies = 1;  // head by head
    return of_sequence(scores, claim, at_once, setting.pairs());
  }
  PairOffsets pairs = pair_offsets(setting.positions);
  numerics::ClassSpread among = numerics::class_spread<S>(
      scores.heads(), scores.positions(), pairs.of_pair, pairs.offsets.extent(0),
      [&](Index first, View<S> out) { scores.rows(first, out); }, at_once, setting.pairs());
  const double largest = among.largest();
  if (setting.pairs() == numerics::Pairs::causal) hide(pairs.of_pair, scores.positions(), among.spread);
  return {std::move(pairs.offsets), std::move(among.spread), largest, among.mean_square, std::move(pairs.of_pair)};
}

template PositionSpread position_spread(const Setting<double>&);
template PositionSpread position_spread(const Setting<float>&);

}  // namespace poslab::experiments::relative_shift
