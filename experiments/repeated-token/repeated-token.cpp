// SPDX-License-Identifier: Apache-2.0
#include "repeated-token.hpp"

#include <algorithm>

#include "counting.hpp"
#include "learning.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/random_layers.hpp"
#include "repetition.hpp"

namespace poslab::experiments {
namespace repeated_token {

Axes<RepeatedToken> RepeatedToken::axes() {
  return {{&RepeatedToken::length, length_axis(64)},
          {&RepeatedToken::feed_forward,
           {.name = "feed_forward",
            .default_value = 4,
            .range = {.lowest = 0, .highest = 64},
            .unit = "d_model",
            .sentence = "width of the feed-forward part over that of the model; 0 leaves attention alone"}},
          {&RepeatedToken::depth,
           {.name = "depth",
            .default_value = {1, 2, 3},
            .range = {.lowest = 1, .highest = 1000},
            .unit = "layers",
            .sentence = "t: how many layers stand on each other"}}};
}

Index RepeatedToken::scheme_layers() const { return static_cast<Index>(rising(depth).back()); }

std::string RepeatedToken::why_skip(const Setting& of) const {
  return why_no_causal_stack(of.scheme, of.placement, depth, length);
}

void RepeatedToken::run(const ExperimentInput& input, Output& out) const {
  const std::vector<double> wanted = rising(depth);
  const host::Weights<double> weights = draw_weights<double>(input, scheme_layers());
  out.coordinate<Depth>(wanted);
  out.coordinate<Head>(numbers_below(input.scheme.model().heads));
  out.coordinate<Position>(numbers_below(length), input.placement, input.positions(length));
  const std::vector<Repetition> of_layers = repeat_token(*this, input, weights);
  std::vector<double> even, bias, state;
  for (const double t : wanted) {
    const Repetition& layer = of_layers[static_cast<std::size_t>(t) - 1];
    even.push_back(layer.even_deviation);
    bias.push_back(layer.bias_deviation);
    state.push_back(layer.state_deviation);
  }
  out.set(even_deviation, even);
  out.set(bias_deviation, bias);
  out.set(state_deviation, state);
  const Array<double>& last = of_layers.back().last_attention;
  out.set(last_attention, {last.flat().begin(), last.flat().end()});
  if (attention::has_gradients(input.scheme)) out.set(query_key_gradient, gradient_ratio(*this, input, weights));
  if (input.scheme.model().model_width < channels_to_count) return;
  out.set(count_error, error_of_counting(input, weights, length));
  if (input.scheme.model().head_width() >= channels_to_tell)
    out.set(distance_error, error_of_distances(input, weights, length));
}

data::Estimate RepeatedToken::estimate(const Setting& of) const {
  const Index N = length, D = of.scheme.model().model_width, H = of.scheme.model().heads;
  const network::StackOptions options = network::random_stack(of.scheme.model(), N, feed_forward * D, true);
  const double learning = network::Network<double>::bytes(learning_network(*this, of.scheme), &of.scheme, {1, N, true});
  const double deep = static_cast<double>(scheme_layers()), n = static_cast<double>(N), width = static_cast<double>(D);
  const double tile = static_cast<double>(H * std::min(N, attention::queries_per_tile)) * n;
  const double per_layer = width * width * (12 + 2 * static_cast<double>(feed_forward));
  return {network::Stack<double>::bytes(options, {&of.scheme}, {1, N}) + learning +
              8 * (3 * deep * per_layer + 12 * n * width + 8 * tile),
          6 * deep * network::Stack<double>::operations(options, {1, N})};
}

}  // namespace repeated_token

Experiment make_repeated_token() { return experiment_of<repeated_token::RepeatedToken>(); }

}  // namespace poslab::experiments
