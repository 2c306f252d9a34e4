// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "poslab/attention/attention.hpp"
#include "poslab/attention/heads.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/network/network.hpp"
#include "poslab/training/trainer.hpp"

namespace poslab::experiments::cost {
namespace {

using base::Array;
using base::View;

template <class S>
struct Setting {
  const host::Scheme& scheme;
  host::Context context;
  Array<double> positions;
  std::vector<View<const S>> weights;
};

template <class S>
void encode(const Setting<S>& setting, Array<S>& x, Array<S>& code) {
  setting.scheme.template encode<S>(setting.context, setting.positions, setting.weights, code);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += code.data()[i];
}

template <class S>
void attend(const Setting<S>& setting, const Array<S>& x, const Array<S>& heads, Array<S>& out) {
  const attention::Layer<S> layer{&setting.scheme, setting.context, setting.positions, setting.weights};
  attention::attend<S>(layer, {heads, heads, x}, heads, out);
}

template <class S>
void train(const ExperimentInput& input, const Size& size, const Array<double>& positions, Index times) {
  const Index B = size.sequences, N = size.length, V = size.network.alphabet;
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(B * N));
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<std::int32_t>(i * 7 % static_cast<std::size_t>(V));
  const std::vector<std::uint8_t> counts(tokens.size(), 1);
  const network::Batch batch{{tokens.data(), {B, N}}, {tokens.data(), {B, N}}, {counts.data(), {B, N}}, positions};
  const network::Layout layout(size.network, &input.scheme);
  training::Trainer<S> trainer(size.network, &input.scheme,
                               network::draw_parameters<S>(layout, &input.scheme, input.draws),
                               training::AdamWOptions{}, {static_cast<std::uint64_t>(times)}, {B, N, true});
  for (Index i = 0; i < times; ++i) trainer.step(batch);
}

}  // namespace

template <class S>
void work(const ExperimentInput& input, const Size& size) {
  const std::string& timed = input.axes.text("timed");
  const Index N = size.length, D = size.network.model_width, H = size.network.heads,
              times = input.axes.integer("times");
  const host::Weights<S> weights = draw_weights<S>(input, size.network.layers);
  const Setting<S> setting{input.scheme,
                           {N, input.scheme.model().train_length, size.network.causal},
                           input.positions(N),
                           weights.of_layer(0)};
  if (timed == "training-step") return train<S>(input, size, setting.positions, times);
  Array<S> x = as<S>(input.draws.normal("content", {N, D})), code{N, D};
  const Array<S> heads = attention::split_heads<S>(x, H);
  Array<S> out{H, N, D / H};
  for (Index i = 0; i < times; ++i) {
    if (timed == "encode" && input.scheme.has(host::Operation::encode)) encode(setting, x, code);
    if (timed == "attention") attend(setting, x, heads, out);
  }
}

template void work<float>(const ExperimentInput&, const Size&);
template void work<double>(const ExperimentInput&, const Size&);

}  // namespace poslab::experiments::cost
