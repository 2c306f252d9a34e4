// SPDX-License-Identifier: Apache-2.0
// Numbers are drawn in float64; an experiment in float32 rounds those, so that both see the same draws.
#pragma once

#include "poslab/base/array.hpp"
#include "poslab/base/random.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::attention {

/// `x`, rounded to S.
template <class S>
base::Array<S> rounded(base::View<const double> x) {
  base::Array<S> out(x.rank, x.shape);
  for (base::Index i = 0; i < x.size(); ++i) out.data()[i] = static_cast<S>(x.data[i]);
  return out;
}

/// A scheme's untrained weights for `layers` layers, rounded to S.
template <class S>
host::Weights<S> draw_weights(const host::Scheme& scheme, const base::Draws& draws, base::Index layers = 1) {
  const host::Weights<double> drawn = scheme.draw_weights(draws, layers);
  host::Weights<S> weights(scheme.weights(), layers);
  for (std::size_t w = 0; w < drawn.arrays().size(); ++w)
    for (std::size_t layer = 0; layer < drawn.arrays()[w].size(); ++layer)
      weights.arrays()[w][layer] = rounded<S>(drawn.arrays()[w][layer]);
  return weights;
}

}  // namespace poslab::attention
