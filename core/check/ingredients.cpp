// SPDX-License-Identifier: Apache-2.0
// Positions, weights and contents, all drawn from keys.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene.hpp"

namespace poslab::check {

Block consecutive(const Subject& subject, Index count) {
  const int A = subject.axes();
  const double first = std::max(subject.lowest(1e6), std::min(0.0, subject.highest(1e6)));
  const double room = subject.highest(1e6) - first + 1;
  const Index wide = A == 1 ? count : 3;
  Block positions({count, A});
  for (Index n = 0; n < count; ++n) {
    Index rest = n;
    for (Index a = A - 1; a >= 0; --a) {
      const Index place = a == 0 ? rest : rest % wide;
      positions.at(n, a) = first + std::fmod(static_cast<double>(place), room);
      rest /= wide;
    }
  }
  return positions;
}

Block scattered(const Subject& subject, Index count, double reach, const std::string& key, bool fractions) {
  const int A = subject.axes();
  const double lowest = subject.lowest(reach), highest = subject.highest(reach);
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
  Block positions({count, A});
  for (Index n = 0; n < count; ++n)
    for (Index a = 0; a < A; ++a) positions.at(n, a) = rows[static_cast<std::size_t>(n)][static_cast<std::size_t>(a)];
  return positions;
}

const char* to_text(WeightScale scale) {
  switch (scale) {
    case WeightScale::drawn: return "weights as drawn";
    case WeightScale::normal: return "normal weights";
    case WeightScale::large: return "large weights";
    case WeightScale::zero: return "zero weights";
  }
  return "?";
}

std::vector<Block> weights_of(const host::Scheme& scheme, WeightScale scale, const std::string& key) {
  const host::Weights<double> drawn = scheme.draw_weights(base::Draws(1, "check", scheme.info().id, key, 0));
  std::vector<Block> weights;
  for (std::size_t w = 0; w < scheme.weights().size(); ++w) {
    const host::WeightInfo& info = scheme.weights()[w];
    Block block;
    block.rank = info.rank;
    block.shape = info.shape;
    const auto numbers = drawn.arrays()[w].front().flat();
    block.numbers.assign(numbers.begin(), numbers.end());
    const base::Stream stream(key + "/" + info.name);
    for (std::size_t i = 0; scale != WeightScale::drawn && i < block.numbers.size(); ++i)
      block.numbers[i] = scale == WeightScale::zero ? 0 : stream.normal(i) * (scale == WeightScale::large ? 8 : 1);
    weights.push_back(std::move(block));
  }
  return weights;
}

Contents normal_contents(const Subject& subject, Index count, const std::string& key, double factor) {
  return {normal_block({subject.H(), count, subject.K()}, key + "/query", factor),
          normal_block({subject.H(), count, subject.K()}, key + "/key", factor),
          normal_block({count, subject.D()}, key + "/layer_input", factor)};
}

Scene scene_of(const Subject& subject, Block positions, const std::string& key, WeightScale scale) {
  Scene scene;
  const Index N = positions.shape[0];
  scene.contents = normal_contents(subject, N, key);
  scene.weights = weights_of(subject.scheme(), scale, key);
  scene.queries = N;
  scene.causal = subject.causal_only();
  scene.length = std::max<Index>(N, 64);
  scene.train_length = subject.variant().model.train_length;
  for (const double p : positions.numbers) scene.length = std::max(scene.length, static_cast<Index>(p) + 1);
  scene.positions = std::move(positions);
  scene.key = key;
  return scene;
}

}  // namespace poslab::check
