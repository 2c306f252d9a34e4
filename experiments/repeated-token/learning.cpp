// SPDX-License-Identifier: Apache-2.0
#include "learning.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::repeated_token {
namespace {

using base::Array;
using base::Index;
using base::View;

constexpr Index vocabulary = 5;

double squares(View<const double> numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return sum;
}

}  // namespace

network::Configuration learning_network(const RepeatedToken& at, const host::Scheme& scheme) {
  network::Configuration network;
  network.vocabulary = vocabulary;
  network.model_width = scheme.model().model_width;
  network.heads = scheme.model().heads;
  network.layers = at.scheme_layers();
  network.feed_forward = std::max<Index>(1, at.feed_forward) * network.model_width;
  network.train_length = at.length;
  network.init_std = 1 / std::sqrt(static_cast<double>(network.model_width));
  return network;
}

double gradient_ratio(const RepeatedToken& at, const ExperimentInput& input) {
  const Index N = at.length;
  const network::Configuration configuration = learning_network(at, input.scheme);
  const network::Layout layout(configuration, &input.scheme);
  network::Parameters<double> parameters = network::draw_parameters<double>(layout, &input.scheme, input.draws),
                              gradient(layout);
  network::set_scheme_weights<double>(layer_weights_of(input, configuration.layers), parameters);
  const base::Stream drawn = input.draws.contents("targets", {N});
  Array<std::int32_t> tokens{1, N}, targets{1, N};
  Array<std::uint8_t> loss_mask{1, N};
  loss_mask.fill(1);
  for (Index t = 0; t < N; ++t)
    targets(0, t) = static_cast<std::int32_t>(drawn.below(static_cast<std::uint64_t>(t), vocabulary));
  const Array<double> positions = input.positions(N);
  network::Network<double> network(configuration, &input.scheme, layout, {1, N, true});
  network.differentiate(parameters, {tokens, targets, loss_mask, positions}, gradient);
  double query_key = 0, value = 0;
  for (const network::LayerIndices& indices : layout.layers) {
    query_key += squares(gradient[indices.query.weight]) + squares(gradient[indices.key.weight]);
    value += squares(gradient[indices.value.weight]);
  }
  return std::sqrt(numerics::ratio_or_zero(query_key, value));
}

}  // namespace poslab::experiments::repeated_token
