// SPDX-License-Identifier: Apache-2.0
#include "untrained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "channel_order.hpp"
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

// As the scheme of a stack meets random contents: see channel_order.hpp.
template <class S>
struct Ordered {
  std::vector<Index> codes;                              // of their channels; empty: as they are
  std::vector<std::optional<Projections<S>>> of_layers;  // in place of those of the contents
};

// out[order[j]] = in[j]: rows of a projection [out, in].
template <class S>
Array<S> reordered_rows(const Array<S>& projection, const std::vector<Index>& order) {
  const Index D = projection.extent(1);
  Array<S> out{projection.extent(0), D};
  for (Index j = 0; j < std::ssize(order); ++j)
    std::copy_n(&projection(j, 0), D, &out(order[static_cast<std::size_t>(j)], 0));
  return out;
}

template <class S>
Ordered<S> ordered(const FirstPositionBias& at, const ExperimentInput& input, const Contents<S>& contents,
                   const host::LayerSchemes& schemes) {
  Ordered<S> ordered;
  ordered.of_layers.resize(static_cast<std::size_t>(at.scheme_layers()));
  const bool asks = schemes.any([](const host::Scheme& scheme) {
    return scheme.has(host::Operation::encode) || scheme.transforms(host::Side::query);
  });
  if (contents.network || !asks) return ordered;  // a trained network knows its channels
  const host::LayerWeights<double> weights = layer_weights_of(input, at.scheme_layers());
  const Array<double> positions = input.positions(at.length);
  ordered.codes = code_channel_order(schemes, weights, at.length, positions);
  for (Index l = 0; l < at.scheme_layers(); ++l) {
    const host::Scheme* scheme = schemes.layer(l);
    if (!scheme) continue;
    const std::vector<Index> order = query_channel_order(*scheme, weights.layer(l), l, at.length, positions);
    if (order.empty()) continue;
    const Projections<S>& drawn = contents.projections[static_cast<std::size_t>(l)];
    ordered.of_layers[static_cast<std::size_t>(l)] =
        Projections<S>{reordered_rows(drawn.query, order), reordered_rows(drawn.key, order), {}};
  }
  return ordered;
}

template <class S>
std::vector<StackLayer<S>> layers_of(const FirstPositionBias& at, const Contents<S>& contents,
                                     const host::LayerSchemes& schemes, const host::LayerWeights<S>& weights,
                                     const Ordered<S>& ordered) {
  const auto weight = [](const Array<S>& array) { return network::Affine<View<const S>>{array.view(), {}}; };
  std::vector<StackLayer<S>> layers;
  if (contents.network) {
    for (Index l = 0; l < at.scheme_layers(); ++l) {
      layers.push_back(contents.network->layer(l, schemes.layer(l) != nullptr));
      layers.back().query_factor = at.query_gain;
    }
    return layers;
  }
  for (const Projections<S>& projections : contents.projections) {
    const Index l = std::ssize(layers);
    StackLayer<S>& layer = layers.emplace_back();
    layer.scheme = schemes.layer(l);
    const std::optional<Projections<S>>& of_scheme = ordered.of_layers[static_cast<std::size_t>(l)];
    layer.arrays.query = weight((of_scheme ? *of_scheme : projections).query);
    layer.arrays.key = weight((of_scheme ? *of_scheme : projections).key);
    layer.arrays.value = weight(projections.value);
    layer.arrays.scheme = weights.layer(l);
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

namespace {

// What draws are for, the first sample's as if it were the only one.
std::string sample_purpose(const char* what, Index sample) {
  return sample == 0 ? what : fmt::format("{} of sample {}", what, sample);
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
    std::vector<Array<double>> samples;
    for (Index sample = 0; sample < at.samples; ++sample)
      samples.push_back(as<double>(
          network->draw_tokens(input.draws.contents(sample_purpose("tokens of the network", sample)), at.length)));
    return {std::move(samples), input.draws.normal("direction of the output", {D}), {}, network};
  }
  Contents<S> contents{{}, input.draws.normal("direction of the output", {D}), {}};
  for (Index sample = 0; sample < at.samples; ++sample)
    contents.samples.push_back(input.draws.normal(sample_purpose("content", sample), {at.length, D}));
  for (Index l = 0; l < at.scheme_layers(); ++l)
    contents.projections.push_back({draw_projection<S>(input.draws, "query", l, D),
                                    draw_projection<S>(input.draws, "key", l, D),
                                    draw_projection<S>(input.draws, "value", l, D)});
  return contents;
}

namespace {

// A stack, and all that its passes read.
template <class S>
class Asked {
 public:
  Asked(const FirstPositionBias& at, const ExperimentInput& input, const Contents<S>& contents, bool with_positions)
      : at_(at),
        contents_(contents),
        schemes_(with_positions ? input.layers() : host::LayerSchemes(nullptr)),
        weights_(with_positions ? draw_layer_weights<S>(input, at.scheme_layers())
                                : host::LayerWeights<S>(schemes_, at.scheme_layers())),
        ordered_(ordered(at, input, contents, schemes_)),
        layers_(layers_of(at, contents, schemes_, weights_, ordered_)),
        positions_(input.positions(at.length)),
        heads_(input.scheme.model().heads),
        stack_(contents.network ? contents.network->options() : options_of(at, input.scheme.model()), schemes_,
               capacity_of(at, schemes_)) {}

  // Only the first sample's has what needs a backward pass, or shows a single layer.
  Curves run(std::size_t sample) {
    begin(contents_.samples[sample]);
    const bool is_first = sample == 0, goes_back = is_first && capacity_of(at_, schemes_).kept_layers > 0;
    Rollout rollout(heads_, at_.length);
    const network::StackVisitor<S> look = [&](Index, Index first_query, View<const S> attention) {
      rollout.look(first_query, attention);
    };
    Curves curves;
    const std::vector<double> wanted = rising(at_.depth);
    for (const StackLayer<S>& layer : layers_) {
      const Index depth = &layer - layers_.data() + 1;
      if (depth < std::ssize(layers_) || contents_.network)  // whose gradient goes through all of its last layer
        stack_.step(layer, look);
      else
        stack_.look(layer, look);
      if (is_first && depth == 1) curves.last_logits = last_logits(stack_, layer, View<const double>(positions_));
      rollout.end_layer();
      if (std::find(wanted.begin(), wanted.end(), static_cast<double>(depth)) == wanted.end()) continue;
      curves.sink_share.push_back(rollout.sink_share());
      curves.context_share.push_back(rollout.context_share());
      curves.residual_context_share.push_back(rollout.residual_context_share());
      if (goes_back) curves.gradient_share.push_back(gradient_share(stack_, layers_, depth, contents_.direction));
    }
    return curves;
  }

 private:
  // The stream: the content, with codes in their order.
  void begin(const Array<double>& content) {
    const View<S> stream = stack_.begin(1, at_.length, positions_);
    const bool is_ordered = !ordered_.codes.empty();
    const auto fill = [&] {
      std::transform(content.flat().begin(), content.flat().end(), stream.begin(),
                     [](double number) { return static_cast<S>(number); });
    };
    if (!is_ordered) {
      fill();
      stack_.encode(weights_);
      return;
    }
    std::fill(stream.begin(), stream.end(), S(0));
    stack_.encode(weights_);
    const std::vector<S> codes(stream.begin(), stream.end());
    fill();
    const Index D = content.extent(1);
    for (Index n = 0; n < at_.length; ++n)
      for (Index j = 0; j < D; ++j)
        stream(0, n, j) += codes[static_cast<std::size_t>(n * D + ordered_.codes[static_cast<std::size_t>(j)])];
  }

  const FirstPositionBias& at_;
  const Contents<S>& contents_;
  host::LayerSchemes schemes_;
  host::LayerWeights<S> weights_;
  Ordered<S> ordered_;
  std::vector<StackLayer<S>> layers_;
  Array<double> positions_;
  Index heads_;
  network::Stack<S> stack_;
};

void add(const std::vector<double>& addends, std::vector<double>& sums) {
  std::transform(sums.begin(), sums.end(), addends.begin(), sums.begin(), std::plus<>());
}

}  // namespace

template <class S>
Curves run_stack(const FirstPositionBias& at, const ExperimentInput& input, const Contents<S>& contents,
                 bool with_positions) {
  Asked<S> asked(at, input, contents, with_positions);
  Curves curves = asked.run(0);
  for (std::size_t sample = 1; sample < contents.samples.size(); ++sample) {
    const Curves more = asked.run(sample);
    add(more.sink_share, curves.sink_share);
    add(more.context_share, curves.context_share);
    add(more.residual_context_share, curves.residual_context_share);
  }
  for (std::vector<double>* shares : {&curves.sink_share, &curves.context_share, &curves.residual_context_share})
    for (double& share : *shares) share /= static_cast<double>(contents.samples.size());
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
