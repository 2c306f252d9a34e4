// SPDX-License-Identifier: Apache-2.0
// How a batch's attention is cut: tiles of queries, and in each, lanes of sequences side by side.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>

#include "poslab/attention/attention.hpp"

namespace poslab::attention {

inline constexpr Index max_lanes = 8;

/// Some queries of every sequence, and how many keys they see.
struct BatchTile {
  Index first, count, keys;

  host::Tile of(host::Positions positions) const {
    return {positions.rows(first, count), positions.rows(0, keys), first};
  }
};

inline Index tiles_of(Index N) { return (N + queries_per_tile - 1) / queries_per_tile; }

/// Tile number t of N queries.
inline BatchTile batch_tile(Index t, Index N, bool causal) {
  const Index first = t * queries_per_tile, count = std::min(queries_per_tile, N - first);
  return {first, count, causal ? first + count : N};
}

/// body(lane, sequence): lane i takes the sequences i, i + lanes, ... in this order.
template <class Body>
void for_each_lane(Index sequences, const Body& body) {
  const Index lanes = std::min(sequences, max_lanes);
  tbb::parallel_for(
      Index{0}, lanes,
      [&](Index lane) {
        for (Index sequence = lane; sequence < sequences; sequence += lanes) body(lane, sequence);
      },
      tbb::simple_partitioner());
}

/// Rows first .. first + count - 1 of each head of x [H, N, K]: x itself if these are all, else a copy of them, in
/// `copied`.
template <class S>
View<const S> rows_in(View<const S> x, Index first, Index count, Array<S>& copied) {
  if (first == 0 && count == x.shape[1]) return x;
  View<S> out(copied.data(), {x.shape[0], count, x.shape[2]});
  for (Index h = 0; h < x.shape[0]; ++h) {
    const View<const S> rows = x[h].rows(first, count);
    std::copy(rows.begin(), rows.end(), out[h].begin());
  }
  return out;
}

}  // namespace poslab::attention
