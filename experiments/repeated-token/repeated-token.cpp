// SPDX-License-Identifier: Apache-2.0
// All tokens are the same: what is left of attention? Definitions: repeated-token.md.
#include <algorithm>

#include "counting.hpp"
#include "learning.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/attention/batch.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/stack.hpp"
#include "repetition.hpp"

namespace poslab::experiments {
namespace repeated_token {

data::ExperimentInfo describe();  // declaration.cpp

namespace {

void record_layers(const std::vector<Repetition>& of_layers, const std::vector<double>& wanted, data::Record& record) {
  std::vector<double> even, bias, state;
  for (const double depth : wanted) {
    const Repetition& layer = of_layers[static_cast<std::size_t>(depth) - 1];
    even.push_back(layer.even_deviation);
    bias.push_back(layer.bias_deviation);
    state.push_back(layer.state_deviation);
  }
  record.curve("even_deviation", {"depth"}, even);
  record.curve("bias_deviation", {"depth"}, bias);
  record.curve("state_deviation", {"depth"}, state);
  const Array<double>& last = of_layers.back().last_attention;
  record.curve("last_attention", {"head", "position"}, {last.flat().begin(), last.flat().end()});
}

data::Record run(const ExperimentInput& input) {
  const Index N = input.axes.integer("length"), deepest = deepest_layer(input.axes);
  const std::vector<double> wanted = depths(input.axes);
  const host::Weights<double> weights = draw_weights<double>(input, deepest);
  data::Record record;
  record.coordinate("depth", wanted);
  record.coordinate("head", numbers_below(input.scheme.model().heads));
  record.coordinate("position", numbers_below(N));
  record_coordinates(record, input.placement, "position", input.positions(N));
  record_layers(repeat_token(input, weights, deepest), wanted, record);
  if (attention::has_gradients(input.scheme))
    record.scalar("query_key_gradient", query_key_gradient(input, weights, deepest));
  if (input.scheme.model().model_width < channels_to_count) return record;
  record.scalar("count_error", count_error(input, weights));
  if (input.scheme.model().head_width() >= channels_to_tell)
    record.scalar("distance_error", distance_error(input, weights));
  return record;
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const Index N = axes.integer("length"), D = scheme.model().model_width, H = scheme.model().heads;
  const network::StackShape shape{1, N, axes.integer("feed_forward") * D, true};
  const double learning =
      network::Network<double>::bytes(learning_network(scheme, axes, deepest_layer(axes)), &scheme, {1, N, true});
  const double deep = static_cast<double>(deepest_layer(axes)), n = static_cast<double>(N),
               width = static_cast<double>(D);
  const double tile = static_cast<double>(H * std::min(N, attention::queries_per_tile)) * n;
  const double per_layer = width * width * (12 + 2 * static_cast<double>(axes.integer("feed_forward")));
  return {
      network::Stack<double>::bytes(scheme, shape) + learning + 8 * (3 * deep * per_layer + 12 * n * width + 8 * tile),
      6 * deep * network::Stack<double>::operations(scheme, shape)};
}

}  // namespace
}  // namespace repeated_token

Experiment make_repeated_token() {
  using namespace repeated_token;
  Experiment experiment{describe(), why_no_causal_stack, estimate, run, axis_length};
  experiment.layers = deepest_layer;
  return experiment;
}

}  // namespace poslab::experiments
