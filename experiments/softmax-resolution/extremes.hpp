// SPDX-License-Identifier: Apache-2.0
// The attention of queries of bounded norm, at worst over contents and heads.
// Dimension letters: N tokens, A axes of a position.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/experiment/experiment.hpp"
#include "row.hpp"

namespace poslab::experiments::softmax_resolution {

using base::Index;
using base::View;

struct Extremes {
  std::vector<double> gaps;  ///< [N - 1]: the largest at each distance
  double least = 1, most = 0, range = 0;
  void add(const Row& row);
  double largest_gap() const;
};

/// The extremes of the last query at `positions` [N, A] over keys that all carry its content, with norm(x)^2 / sqrt(K)
/// = bound, for so many contents. On all threads, the same bits on any number of them. Throws data::not_finite.
template <class S>
Extremes extremes(const ExperimentInput& input, View<const double> positions, std::span<const View<const S>> weights,
                  Index contents, double bound);

}  // namespace poslab::experiments::softmax_resolution
