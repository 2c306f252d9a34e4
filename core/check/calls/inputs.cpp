// SPDX-License-Identifier: Apache-2.0
#include "calls/inputs.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/data/draws.hpp"

namespace poslab::check {

Tensor consecutive(const Instance& instance, Index count) {
  const int A = instance.axes();
  const double first = std::max(instance.lowest(1e6), std::min(0.0, instance.highest(1e6)));
  const double room = instance.highest(1e6) - first + 1;
  const Index wide = A == 1 ? count : 3;
  Tensor positions({count, A});
  for (Index n = 0; n < count; ++n) {
    Index rest = n;
    for (Index a = A - 1; a >= 0; --a) {
      const Index step = a == 0 ? rest : rest % wide;
      positions.at(n, a) = first + std::fmod(static_cast<double>(step), room);
      rest /= wide;
    }
  }
  return positions;
}

Tensor scattered(const Instance& instance, Index count, double reach, const std::string& key, bool fractions) {
  const int A = instance.axes();
  const double lowest = instance.lowest(reach), highest = instance.highest(reach);
  const base::Stream stream(key + "/positions");
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(count), std::vector<double>(A));
  std::uint64_t i = 0;
  for (auto& row : rows)
    for (double& number : row) {
      number = std::floor(lowest + stream.uniform(i) * (highest - lowest + 1));
      if (fractions && number < highest) number += 0.25 * static_cast<double>(stream.below(i, 4));
      ++i;
    }
  if (count > 0 && lowest <= 0 && highest >= 0) std::fill(rows[0].begin(), rows[0].end(), 0.0);
  std::sort(rows.begin(), rows.end());
  Tensor positions({count, A});
  for (Index n = 0; n < count; ++n)
    for (Index a = 0; a < A; ++a) positions.at(n, a) = rows[base::at(n)][base::at(a)];
  return positions;
}

std::vector<Tensor> weights_of(const host::Scheme& scheme, WeightScale scale, const std::string& key) {
  const host::Weights<double> drawn = scheme.draw_weights(data::Draws(1, "check", scheme.info().id + "/" + key, 0));
  std::vector<Tensor> weights;
  for (std::size_t w = 0; w < scheme.weights().size(); ++w) {
    const host::WeightInfo& info = scheme.weights()[w];
    Tensor tensor;
    tensor.rank = info.rank;
    tensor.shape = info.shape;
    const auto numbers = drawn.arrays()[w].front().flat();
    tensor.numbers.assign(numbers.begin(), numbers.end());
    const base::Stream stream(key + "/" + info.name);
    for (std::size_t i = 0; scale != WeightScale::drawn && i < tensor.numbers.size(); ++i)
      tensor.numbers[i] = scale == WeightScale::zero ? 0 : stream.normal(i) * (scale == WeightScale::large ? 8 : 1);
    weights.push_back(std::move(tensor));
  }
  return weights;
}

Contents normal_contents(const Instance& instance, Index count, const std::string& key, double factor) {
  return {normal_tensor({instance.H(), count, instance.K()}, key + "/query", factor),
          normal_tensor({instance.H(), count, instance.K()}, key + "/key", factor),
          normal_tensor({count, instance.D()}, key + "/layer_input", factor),
          normal_tensor({instance.H(), count, instance.K()}, key + "/value", factor),
          normal_tensor({instance.H(), count, instance.K()}, key + "/mixed", factor)};
}

const Tensor& Contents::of_side(int side) const {
  switch (side) {
    case POSLAB_KEY: return key;
    case POSLAB_VALUE: return value;
    case POSLAB_OUTPUT: return mixed;
    default: return query;
  }
}

Inputs inputs_of(const Instance& instance, Tensor positions, const std::string& key, WeightScale scale) {
  Inputs inputs;
  const Index N = positions.shape[0];
  inputs.contents = normal_contents(instance, N, key);
  inputs.weights = weights_of(instance.scheme(), scale, key);
  inputs.queries = N;
  inputs.causal = instance.causal_only();
  inputs.length = std::max<Index>(N, 64);
  inputs.train_length = instance.variant().model.train_length;
  for (const double p : positions.numbers) inputs.length = std::max(inputs.length, static_cast<Index>(p) + 1);
  inputs.positions = std::move(positions);
  inputs.key = key;
  return inputs;
}

Inputs usual_inputs(const Instance& instance) {
  return inputs_of(instance, consecutive(instance, few_positions), "calls");
}

std::vector<Inputs> inputs_of_layers(const Instance& instance) {
  const Inputs first = usual_inputs(instance);
  Inputs second = first;
  second.layer = 1;
  second.causal = instance.serves_causal();
  return {first, second};
}

}  // namespace poslab::check
