// SPDX-License-Identifier: Apache-2.0
#include "repeated-token.hpp"

#include <algorithm>

#include "counting.hpp"
#include "learning.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
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

std::optional<base::Refusal> RepeatedToken::why_skip(const Setting& of) const {
  return why_no_causal_stack(of, depth, length);
}

void RepeatedToken::run(const ExperimentInput& input, Output& out) const {
  const std::vector<double> wanted = rising(depth);
  const host::Weights<double> weights = draw_weights<double>(input, scheme_layers());
  out.coordinate<Depth>(wanted);
  out.coordinate<Head>(numbers_below(input.scheme.model().heads));
  out.coordinate<Place>(numbers_below(length), input.placement, input.positions(length));
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
  if (attention::has_gradients(input.scheme)) out.set(query_key_gradient, gradient_ratio(*this, input));
  if (input.scheme.model().model_width < channels_to_count) return;
  out.set(count_error, error_of_counting(input, weights, length));
  if (input.scheme.model().head_width() >= channels_to_tell)
    out.set(distance_error, error_of_distances(input, weights, length));
}

// One stack with a second attention beside it; then a network with its gradient; then attention to count with.
data::Estimate RepeatedToken::estimate(const Setting& of) const {
  const Needs needs(of.scheme);
  const auto [N, deep, F] = reckoned(length, scheme_layers(), feed_forward * of.scheme.model().model_width);
  const network::StackOptions options =
      network::random_stack(of.scheme.model(), length, feed_forward * of.scheme.model().model_width, true);
  const network::StackCapacity one{1, length};
  const double D = needs.D, a_tile = std::min<double>(N, attention::queries_per_tile), pairs = N * N / 2;
  const double repeating =
      needs.stack(options, one) + needs.stack_weights(F) + 8 * (6 * N * D + needs.logits(a_tile, N));
  double learning = 0, steps = 3 * (needs.attend(pairs) + needs.softmax(pairs) + needs.products(pairs * D));
  if (attention::has_gradients(of.scheme)) {
    const network::Configuration network = learning_network(*this, of.scheme);
    const double numbers = static_cast<double>(network::Layout(network, &of.scheme).size());
    learning = 16 * numbers + network::Network<double>::bytes(network, &of.scheme, {1, length, true});
    steps += needs.draw(numbers) + 3 * deep * needs.stack_layer(options, one);
  }
  const double counting = 8 * (D * D + 5 * N * D + needs.attention(length));
  return {std::max({repeating, learning, counting}),
          steps + needs.products(N * D * D) * 5 +
              deep * (needs.draw(4 * D * D + 2 * D * F) + needs.stack_layer(options, one) + needs.attend(pairs) +
                      needs.softmax(pairs) + 4 * needs.H * pairs)};
}

}  // namespace repeated_token

Experiment make_repeated_token() { return experiment_of<repeated_token::RepeatedToken>(); }

}  // namespace poslab::experiments
