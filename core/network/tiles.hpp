// SPDX-License-Identifier: Apache-2.0
// Rows of tokens in tiles of one size, whatever the number of threads.
// Dimension letters: M rows, W their width.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>

#include "poslab/network/configuration.hpp"

namespace poslab::network {

inline constexpr Index rows_per_tile = 128;

inline Index row_tiles_of(Index rows) { return (rows + rows_per_tile - 1) / rows_per_tile; }

/// body(first, count), from several threads at once.
template <class Body>
void for_each_row_tile(Index rows, const Body& body) {
  tbb::parallel_for(
      Index{0}, row_tiles_of(rows),
      [&](Index tile) {
        const Index first = tile * rows_per_tile;
        body(first, std::min(rows_per_tile, rows - first));
      },
      tbb::simple_partitioner());
}

/// Rows of a tile [count, W]: in an array [M, W] that is kept, or else in one of their own.
template <class S>
class TileRows {
 public:
  TileRows(View<S> kept, Index first, Index count, Index width) {
    if (!kept.data) own_ = Array<S>{count, width};
    rows_ = kept.data ? kept.rows(first, count) : own_.view();
  }
  operator View<S>() const { return rows_; }
  operator View<const S>() const { return rows_; }

 private:
  Array<S> own_;
  View<S> rows_;
};

}  // namespace poslab::network
