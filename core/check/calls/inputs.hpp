// SPDX-License-Identifier: Apache-2.0
// What a call is made from: positions, weights, contents, all drawn from keys.
// Dimension letters: N positions, Nq query positions, Nk key positions, A axes, D model width, H heads, K head width.
#pragma once

#include <string>
#include <vector>

#include "instance.hpp"

namespace poslab::check {

/// Positions [count, A] in rising order of their rows. `consecutive`: from 0, or the lowest served if that is greater,
/// row by row through a grid where there are several axes; a range that is too short is gone through again.
Tensor consecutive(const Instance& instance, Index count);
/// Random ones within [-reach, reach] as far as they are served, 0 among them; quarters, too, if `fractions`.
Tensor scattered(const Instance& instance, Index count, double reach, const std::string& key, bool fractions = false);

/// How far the weights are from what the scheme draws.
enum class WeightScale { drawn, normal, large, zero };
/// One tensor per declared weight. drawn: as declared; normal: standard normal; large: eight times that; zero.
std::vector<Tensor> weights_of(const host::Scheme& scheme, WeightScale scale, const std::string& key);

/// The numbers of a sequence, before any position enters.
struct Contents {
  Tensor query, key;    ///< [H, N, K]
  Tensor layer_input;   ///< [N, D]
  Tensor value, mixed;  ///< [H, N, K]: before any mixing, and what was mixed for each query
  const Tensor& of_side(int side) const;
};
Contents normal_contents(const Instance& instance, Index count, const std::string& key, double factor = 1);

/// From these the call of every operation can be made.
struct Inputs {
  Tensor positions;  ///< [N, A], of the keys
  Contents contents;
  std::vector<Tensor> weights;
  Index first_query = 0, queries = 0;  ///< the tile: rows of `positions`
  bool causal = false;
  Index layer = 0;  ///< which layer asks
  Index length = 0, train_length = 64;
  std::string key;  ///< of what else is drawn
};

/// Standard contents; all positions are queries.
Inputs inputs_of(const Instance& instance, Tensor positions, const std::string& key,
                 WeightScale scale = WeightScale::drawn);

inline constexpr Index few_positions = 9;  // odd, so that vector code has a remainder
/// Those of most checks: few consecutive positions, weights as drawn.
Inputs usual_inputs(const Instance& instance);
/// The same as the first layer asks, and as the next one does: under a causal mask where that is served.
std::vector<Inputs> inputs_of_layers(const Instance& instance);

}  // namespace poslab::check
