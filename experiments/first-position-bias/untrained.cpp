// SPDX-License-Identifier: Apache-2.0
#include "untrained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "poslab/attention/batch.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/random_layers.hpp"
#include "poslab/numerics/inner_product.hpp"
#include "poslab/numerics/statistics.hpp"
#include "rollout.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

using network::StackLayer;

// Drawn as [in, out], as the page has them; a linear layer takes [out, in].
template <class S>
Array<S> draw_projection(const data::Draws& draws, const char* name, Index layer, Index D) {
  const Array<double> normals = draws.normal(fmt::format("{} projection of layer {}", name, layer), {D, D});
  const double deviation = 1 / std::sqrt(static_cast<double>(D));
  Array<S> projection{D, D};
  for (Index in = 0; in < D; ++in)
    for (Index out = 0; out < D; ++out) projection(out, in) = static_cast<S>(deviation * normals(in, out));
  return projection;
}

// RMS norm without a factor and without an epsilon; heads side by side are the attention's output.
network::StackOptions options_of(const FirstPositionBias& at, const host::Model& model) {
  return {.model_width = model.model_width,
          .heads = model.heads,
          .train_length = at.length,
          .residual = at.residual,
          .norm = network::Norm::rms,
          .epsilon = 0};
}

network::StackCapacity capacity_of(const FirstPositionBias& at, const host::LayerSchemes& schemes) {
  return {1, at.length, have_gradients(schemes) ? at.scheme_layers() : 0};
}

template <class S>
std::vector<StackLayer<S>> layers_of(const FirstPositionBias& at, const Contents<S>& contents,
                                     const host::LayerSchemes& schemes, const host::LayerWeights<S>& weights) {
  const auto weight = [](const Array<S>& array) { return network::Affine<View<const S>>{array.view(), {}}; };
  std::vector<StackLayer<S>> layers;
  if (contents.network) {
    for (Index l = 0; l < at.scheme_layers(); ++l) {
      layers.push_back(contents.network->layer(l, schemes.of_layer(l) != nullptr));
      layers.back().query_factor = at.query_gain;
    }
    return layers;
  }
  for (const Projections<S>& projections : contents.projections) {
    const Index l = std::ssize(layers);
    StackLayer<S>& layer = layers.emplace_back();
    layer.scheme = schemes.of_layer(l);
    layer.arrays.query = weight(projections.query);
    layer.arrays.key = weight(projections.key);
    layer.arrays.value = weight(projections.value);
    layer.arrays.scheme = weights.of_layer(l);
    layer.query_factor = at.query_gain * network::query_factor_of(layer.scheme);
  }
  return layers;
}

// The last query's logits in the first layer, once the stack has looked at it.
template <class S>
Array<double> last_logits(const network::Stack<S>& stack, const StackLayer<S>& first, View<const double> positions) {
  const auto [query, key, layer_input] = stack.attention_inputs();
  const Index H = query.shape[1], N = query.shape[2];
  const attention::Layer<S> layer{first.scheme, {N, N, true}, positions, first.arrays.scheme};
  Array<S> logits{H, 1, N};
  attention::logits<S>(layer, attention::rows_of_heads<S>(query[0], N - 1, 1), key[0], layer_input[0], N - 1, logits);
  Array<double> out{H, N};
  std::copy(logits.flat().begin(), logits.flat().end(), out.data());
  return out;
}

// g_0 / sum_i g_i with g_i = |d <u, y_(N-1)> / d x_i|, y the output of the first `depth` layers and x their input. 0
// where no token has a gradient, and where token 0's is below N machine epsilons of the sum, so that nothing tells it
// from rounding.
template <class S>
double gradient_share(network::Stack<S>& stack, const std::vector<StackLayer<S>>& layers, Index depth,
                      const Array<double>& direction) {
  const View<S> by_output = stack.gradient()[0];
  const Index N = by_output.shape[0], D = by_output.shape[1];
  std::fill(by_output.begin(), by_output.end(), S(0));
  for (Index c = 0; c < D; ++c) by_output(N - 1, c) = static_cast<S>(direction(c));
  for (Index l = depth; l-- > 0;) stack.back(l, layers[static_cast<std::size_t>(l)]);
  const View<S> by_input = stack.gradient()[0];
  double first = 0, sum = 0;
  for (Index n = 0; n < N; ++n) {
    const double norm = std::sqrt(numerics::sum_of_squares(&by_input(n, 0), D));
    if (n == 0) first = norm;
    sum += norm;
  }
  const double share = numerics::ratio_or_zero(first, sum);
  const double rounding = static_cast<double>(N) * static_cast<double>(std::numeric_limits<S>::epsilon());
  return share < rounding ? 0 : share;
}

}  // namespace

bool have_gradients(const host::LayerSchemes& schemes) {
  return !schemes.any([](const host::Scheme& scheme) { return !attention::has_gradients(scheme); });
}

template <class S>
Contents<S> draw_contents(const FirstPositionBias& at, const ExperimentInput& input) {
  const Index D = input.scheme.model().model_width;
  if (input.network) {
    const auto network = std::make_shared<const GivenStack<S>>(input);
    return {as<double>(network->draw_tokens(input.draws.contents("tokens of the network"), at.length)),
            input.draws.normal("direction of the output", {D}),
            {},
            network};
  }
  Contents<S> contents{
      input.draws.normal("content", {at.length, D}), input.draws.normal("direction of the output", {D}), {}};
  for (Index l = 0; l < at.scheme_layers(); ++l)
    contents.projections.push_back({draw_projection<S>(input.draws, "query", l, D),
                                    draw_projection<S>(input.draws, "key", l, D),
                                    draw_projection<S>(input.draws, "value", l, D)});
  return contents;
}

template <class S>
Curves run_stack(const FirstPositionBias& at, const ExperimentInput& input, const Contents<S>& contents,
                 bool with_positions) {
  const host::LayerSchemes schemes = with_positions ? input.layers() : host::LayerSchemes(nullptr);
  const Index depth_of_all = at.scheme_layers();
  const host::LayerWeights<S> weights =
      with_positions ? draw_layer_weights<S>(input, depth_of_all) : host::LayerWeights<S>(schemes, depth_of_all);
  const std::vector<StackLayer<S>> layers = layers_of(at, contents, schemes, weights);
  const Array<double> positions = input.positions(at.length);
  const network::StackCapacity capacity = capacity_of(at, schemes);
  network::Stack<S> stack(contents.network ? contents.network->options() : options_of(at, input.scheme.model()),
                          schemes, capacity);
  const View<S> stream = stack.begin(1, at.length, positions);
  std::transform(contents.content.flat().begin(), contents.content.flat().end(), stream.begin(),
                 [](double number) { return static_cast<S>(number); });
  stack.encode(weights);

  Rollout rollout(input.scheme.model().heads, at.length);
  const network::StackVisitor<S> look = [&](Index, Index first_query, View<const S> attention) {
    rollout.look(first_query, attention);
  };
  Curves curves;
  const std::vector<double> wanted = rising(at.depth);
  for (const StackLayer<S>& layer : layers) {
    const Index depth = &layer - layers.data() + 1;
    if (depth < std::ssize(layers) || contents.network)  // whose gradient goes through all of its last layer
      stack.step(layer, look);
    else
      stack.look(layer, look);
    if (depth == 1) curves.last_logits = last_logits(stack, layer, positions);
    rollout.end_layer();
    if (std::find(wanted.begin(), wanted.end(), static_cast<double>(depth)) == wanted.end()) continue;
    curves.sink_share.push_back(rollout.sink_share());
    curves.context_share.push_back(rollout.context_share());
    curves.residual_context_share.push_back(rollout.residual_context_share());
    if (capacity.kept_layers > 0)
      curves.gradient_share.push_back(gradient_share(stack, layers, depth, contents.direction));
  }
  return curves;
}

template <class S>
double bytes_of_stack(const FirstPositionBias& at, const host::LayerSchemes& schemes, Index feed_forward) {
  network::StackOptions options = options_of(at, schemes.first().model());
  options.feed_forward = feed_forward;
  return network::Stack<S>::bytes(options, schemes, capacity_of(at, schemes));
}

#define POSLAB_FOR(S)                                                                                       \
  template Contents<S> draw_contents<S>(const FirstPositionBias&, const ExperimentInput&);                  \
  template Curves run_stack<S>(const FirstPositionBias&, const ExperimentInput&, const Contents<S>&, bool); \
  template double bytes_of_stack<S>(const FirstPositionBias&, const host::LayerSchemes&, Index);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::first_position_bias
