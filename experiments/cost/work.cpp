// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <cstdint>
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
struct Prepared {
  const host::Scheme& scheme;
  host::Context context;
  Array<double> positions;
  std::vector<View<const S>> weights;
};

template <class S>
void encode(const Prepared<S>& prepared, Array<S>& x, Array<S>& code) {
  prepared.scheme.template encode<S>(prepared.context, prepared.positions, prepared.weights, code);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += code.data()[i];
}

template <class S>
void attend(const Prepared<S>& prepared, const Array<S>& x, const Array<S>& heads, Array<S>& out) {
  const attention::Layer<S> layer{&prepared.scheme, prepared.context, prepared.positions, prepared.weights};
  attention::attend<S>(layer, {heads, heads, x}, heads, out);
}

template <class S>
void train(const ExperimentInput& input, const Size& size, const Array<double>& positions, Index times) {
  const Index B = size.sequences, N = size.length, V = size.network.vocabulary;
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
void work(const Cost& at, const ExperimentInput& input) {
  const Size size = at.size(input.scheme);
  const Index N = size.length, D = size.network.model_width, H = size.network.heads;
  const host::Weights<S> weights = draw_weights<S>(input, size.network.layers);
  const Prepared<S> prepared{
      input.scheme, {N, input.scheme.model().train_length, size.network.causal}, input.positions(N), weights.layer(0)};
  if (at.timed == Timed::training_step) return train<S>(input, size, prepared.positions, at.times);
  Array<S> x = as<S>(input.draws.normal("content", {N, D})), code{N, D};
  const Array<S> heads = attention::split_heads<S>(x, H);
  Array<S> out{H, N, D / H};
  for (Index i = 0; i < at.times; ++i) {
    if (at.timed == Timed::encode && input.scheme.has(host::Operation::encode)) encode(prepared, x, code);
    if (at.timed == Timed::attention) attend(prepared, x, heads, out);
  }
}

template void work<float>(const Cost&, const ExperimentInput&);
template void work<double>(const Cost&, const ExperimentInput&);

}  // namespace poslab::experiments::cost
