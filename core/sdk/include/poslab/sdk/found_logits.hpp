// SPDX-License-Identifier: Apache-2.0
// For a gradient written by hand of a scheme whose score reads the logits that it finds, scale * q.k.
// Not part of <poslab/scheme.hpp>: #include <poslab/sdk/found_logits.hpp>.
// Dimension letters: Nk keys.
#pragma once

#include <cstddef>

#include "poslab/sdk/rows.hpp"
#include "poslab/sdk/tile.hpp"

namespace poslab {

/// What score found in logits.row(h, i): [Nk].
template <class S>
void set_found_logits(const ScoreTile<S>& tile, Index h, Index i, Row<S> found) {
  for (std::size_t j = 0; j < found.size(); ++j)
    found[j] = S(tile.scale) * dot(tile.query.row(h, i), tile.key.row(h, static_cast<Index>(j)));
}

/// Takes the gradient by what score found in logits.row(h, i), [Nk], on to query and key.
template <class S>
void add_found_logits_gradient(const ScoreTile<S>& tile, const ScoreGradient<S>& gradient, Index h, Index i,
                               Row<const S> by_found) {
  for (Index j = 0; j < tile.key_positions.size(); ++j)
    if (const S by_product = S(tile.scale) * by_found[static_cast<std::size_t>(j)]; by_product != 0)  // masked: it is 0
      add_dot_gradient(by_product, tile.query.row(h, i), tile.key.row(h, j), gradient.query.row(h, i),
                       gradient.key.row(h, j));
}

}  // namespace poslab
