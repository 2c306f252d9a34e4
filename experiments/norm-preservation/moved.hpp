// SPDX-License-Identifier: Apache-2.0
// What each position does to the same vectors: norms, inner products and directions, before and after.
// Dimension letters: N positions, C contents, D model width.
#pragma once

#include <span>
#include <vector>

#include "poslab/experiment/experiment.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::norm_preservation {

using base::Array;
using base::Index;
using base::View;

template <class S>
struct Subject {
  const host::Scheme& scheme;
  host::Context context;
  std::span<const View<const S>> weights;
  Array<S> x, y;  ///< contents [C, D], heads side by side
};

/// What one position does to all contents. For `encode` a vector is an embedding of D numbers, for `transform` the K
/// numbers of one head, on each side that it transforms.
struct AtPosition {
  numerics::Moments ratio;                                ///< norm(x') / norm(x)
  numerics::Moments of_side[std::size(host::all_sides)];  ///< the same of each side, of those that are transformed
  numerics::Moments angle;                                ///< between x and x + e(p), `encode` only
  double isometry_error = 0;                              ///< largest |<x', y'> - <x, y>| / (norm(x) norm(y))
  double squared_norm = 0;                                ///< |e(p)|^2
  double largest_entry = 0;                               ///< of |e(p)|
};

/// So many positions are worked on at once by each thread.
inline constexpr Index positions_at_once = 32;

/// Takes positions [N, A], on all threads; the same bits on any number of them.
template <class S>
std::vector<AtPosition> at_all_positions(const Subject<S>&, View<const double> positions);

}  // namespace poslab::experiments::norm_preservation
