// SPDX-License-Identifier: Apache-2.0
// The axis `dtype`: one body of code for both scalar types, weights in that type, and what it rounds away.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <vector>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments {

/// body(S{}) with S = float or double.
template <class Body>
auto with_dtype(Dtype dtype, const Body& body) {
  return dtype == Dtype::float32 ? body(float{}) : body(double{});
}

/// The same numbers as S, rounded where they must be.
template <class S, class From>
base::Array<S> as(const base::Array<From>& numbers) {
  base::Array<S> out(numbers.rank(), numbers.view().shape);
  for (base::Index i = 0; i < numbers.size(); ++i) out.data()[i] = static_cast<S>(numbers.data()[i]);
  return out;
}

/// The same weights as S.
template <class S>
void round_weights(const host::Weights<double>& from, host::Weights<S>& to) {
  for (std::size_t w = 0; w < to.arrays().size(); ++w)
    for (std::size_t layer = 0; layer < to.arrays()[w].size(); ++layer)
      std::transform(from.arrays()[w][layer].flat().begin(), from.arrays()[w][layer].flat().end(),
                     to.arrays()[w][layer].data(), [](double number) { return static_cast<S>(number); });
}

/// The scheme's weights, drawn in double (or given to the cell) and rounded to S, so that both types see the same.
template <class S>
host::Weights<S> draw_weights(const ExperimentInput& input, base::Index layers = 1) {
  host::Weights<double> drawn = weights_of(input, layers);
  if constexpr (std::same_as<S, double>) {
    return drawn;
  } else {
    host::Weights<S> weights(input.scheme.weights(), layers);
    round_weights(drawn, weights);
    return weights;
  }
}

/// The same of a stack whose layers may have different schemes.
template <class S>
host::LayerWeights<S> draw_layer_weights(const ExperimentInput& input, base::Index layers) {
  host::LayerWeights<double> drawn = layer_weights_of(input, layers);
  if constexpr (std::same_as<S, double>) {
    return drawn;
  } else {
    host::LayerWeights<S> weights(input.layers(), layers);
    for (std::size_t part = 0; part < weights.parts().size(); ++part)
      round_weights(drawn.parts()[part].weights, weights.parts()[part].weights);
    return weights;
  }
}

/// What two logits may differ by and count as equal: far above what rounding in this scalar type does to numbers as
/// large as these, far below what a position does.
inline double slack_of(const std::vector<double>& numbers, Dtype dtype) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  return (dtype == Dtype::float32 ? 1e-5 : 1e-9) * (1 + largest);
}

}  // namespace poslab::experiments
