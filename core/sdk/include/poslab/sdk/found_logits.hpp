// SPDX-License-Identifier: Apache-2.0
// For a gradient written by hand of a scheme without bias whose score reads the logits that it finds, scale * q.k.
// Not part of <poslab/scheme.hpp>: #include <poslab/sdk/found_logits.hpp>.
// Dimension letters: Nk keys.
#pragma once

#include <cstddef>

#include "poslab/sdk/many_rows.hpp"
#include "poslab/sdk/tile.hpp"

namespace poslab {

/// What score found in logits.row(h, i): [Nk].
template <class S>
void set_found_logits(const ScoreTile<S>& tile, Index h, Index i, Row<S> found) {
  for_dots(
      tile.query.row(h, i), static_cast<Index>(found.size()), [&](Index j) { return tile.key.row(h, j); },
      [&](Index j, S product) { found[static_cast<std::size_t>(j)] = S(tile.scale) * product; });
}

/// Takes the gradient by what score found in logits.row(h, i), [Nk], on to query and key.
template <class S>
void add_found_logits_gradient(const ScoreTile<S>& tile, const ScoreGradient<S>& gradient, Index h, Index i,
                               Row<const S> by_found) {
  const auto by_product = [&](Index j) { return S(tile.scale) * by_found[static_cast<std::size_t>(j)]; };
  const Index Nk = tile.key_positions.size();
  add_scaled_rows(gradient.query.row(h, i), Nk, by_product, [&](Index j) { return tile.key.row(h, j); });
  for (Index j = 0; j < Nk; ++j)
    if (by_product(j) != 0) add_scaled(gradient.key.row(h, j), by_product(j), tile.query.row(h, i));  // masked: it is 0
}

}  // namespace poslab
