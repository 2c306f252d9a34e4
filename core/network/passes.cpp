// SPDX-License-Identifier: Apache-2.0
#include "poslab/network/network.hpp"

#include "poslab/base/error.hpp"
#include "work.hpp"

namespace poslab::network {
namespace {

bool keeps_queries_before(const host::Scheme* scheme, bool gradient) {
  return gradient && scheme && scheme->has(host::Operation::transform) && scheme->has_trainable_weights();
}

attention::BatchSize batch_size(const Configuration& configuration, const Capacity& capacity) {
  return {capacity.sequences, configuration.heads, capacity.length, configuration.head_width()};
}

template <class S>
Index numbers_of(const Configuration& configuration, const ActivationSize& size) {
  Arena<S> counting(nullptr);
  Activations<S> nowhere;
  lay_out(configuration, size, counting, nowhere);
  return counting.taken();
}

}  // namespace

void MeanLoss::add(std::span<const TokenLoss> losses, View<const std::uint8_t> counts) {
  for (std::size_t m = 0; m < losses.size(); ++m)
    if (counts.data[m]) {
      sum_ += losses[m].loss;
      ++count_;
    }
}

double mean_loss(std::span<const TokenLoss> losses, View<const std::uint8_t> counts) {
  MeanLoss mean;
  mean.add(losses, counts);
  return mean.value();
}

template <class S>
Network<S>::Work::Work(const Configuration& configuration_, const host::Scheme* scheme_, const Layout& layout_,
                       const Capacity& capacity_)
    : configuration(configuration_),
      scheme(scheme_),
      layout(layout_),
      keeps_before(keeps_queries_before(scheme, capacity_.gradient)),
      capacity(capacity_),
      block{numbers_of<S>(configuration, {capacity.sequences, capacity.length, capacity.gradient, keeps_before})},
      attention(scheme, batch_size(configuration, capacity), capacity.gradient),
      consecutive{capacity.length, 1},
      factors(static_cast<std::size_t>(capacity.sequences * capacity.length)),
      losses(factors.size()) {
  if (configuration.vector_width > 0)
    vectors = Array<S>{capacity.sequences * capacity.length, configuration.vector_width};
  for (Index t = 0; t < capacity.length; ++t) consecutive(t, 0) = static_cast<double>(t);
}

template <class S>
void Network<S>::Work::begin(const Batch& batch) {
  const Index B = batch.tokens.shape[0], T = batch.tokens.shape[1];
  if (B > capacity.sequences || T > capacity.length)
    throw base::Error("a batch of " + std::to_string(B) + " sequences of " + std::to_string(T) +
                      " tokens for a network that was made for " + std::to_string(capacity.sequences) + " of " +
                      std::to_string(capacity.length));
  const Index W = configuration.vector_width;
  if ((W > 0) != (batch.vectors.data != nullptr) || (W > 0 && batch.vectors.size() != B * T * W))
    throw base::Error("a batch of vectors of another width than the network's, which is " + std::to_string(W));
  if (at.sequences != B || at.length != T) {
    Arena<S> arena(block.data());
    lay_out(configuration, {B, T, capacity.gradient, keeps_before}, arena, at);
  }
  positions = batch.positions.data ? batch.positions : std::as_const(consecutive).view().rows(0, T);
  double count = 0;
  for (const std::uint8_t counts : batch.counts.flat()) count += counts != 0;
  for (Index m = 0; m < rows(); ++m) factors[static_cast<std::size_t>(m)] = batch.counts.data[m] ? 1 / count : 0;
}

template <class S>
std::span<const TokenLoss> Network<S>::Work::forward(const Parameters<S>& parameters, const Batch& batch,
                                                     const AttentionVisitor<S>& visit, bool with_gradient) {
  begin(batch);
  embed(parameters, batch);
  for (Index l = 0; l < configuration.layers; ++l) layer_forward(l, parameters, visit);
  head(parameters, batch, with_gradient);
  return {losses.data(), static_cast<std::size_t>(rows())};
}

template <class S>
void Network<S>::Work::backward(const Parameters<S>& parameters, const Batch& batch, Parameters<S>& gradient) {
  std::fill(gradient.flat().begin(), gradient.flat().end(), S(0));
  head_backward(parameters, gradient);
  for (Index l = configuration.layers; l-- > 0;) layer_backward(l, parameters, gradient);
  embed_backward(parameters, batch, gradient);
}

template <class S>
attention::Layer<S> Network<S>::Work::attention_layer(Index l, const Parameters<S>& parameters) const {
  return {scheme,
          {at.length, configuration.train_length, configuration.causal},
          positions,
          parameters.of(layout.layers[static_cast<std::size_t>(l)].scheme),
          l};
}

template <class S>
Network<S>::Network(const Configuration& configuration, const host::Scheme* scheme, const Layout& layout,
                    const Capacity& capacity)
    : work_(std::make_unique<Work>(configuration, scheme, layout, capacity)) {}

template <class S>
Network<S>::~Network() = default;

template <class S>
double Network<S>::bytes(const Configuration& configuration, const host::Scheme* scheme, const Capacity& capacity) {
  const ActivationSize size{capacity.sequences, capacity.length, capacity.gradient,
                            keeps_queries_before(scheme, capacity.gradient)};
  const double attention =
      attention::BatchAttention<S>::numbers(scheme, batch_size(configuration, capacity), capacity.gradient);
  const auto rows = static_cast<double>(capacity.sequences * capacity.length);
  return sizeof(S) * (static_cast<double>(numbers_of<S>(configuration, size)) + attention +
                      rows * static_cast<double>(configuration.vector_width)) +
         rows * static_cast<double>(sizeof(TokenLoss) + sizeof(double)) +
         sizeof(double) * static_cast<double>(capacity.length);
}

template <class S>
std::span<const TokenLoss> Network<S>::evaluate(const Parameters<S>& parameters, const Batch& batch,
                                                const AttentionVisitor<S>& visit) {
  return work_->forward(parameters, batch, visit, false);
}

template <class S>
std::span<const TokenLoss> Network<S>::differentiate(const Parameters<S>& parameters, const Batch& batch,
                                                     Parameters<S>& gradient) {
  const std::span<const TokenLoss> losses = work_->forward(parameters, batch, {}, true);
  work_->backward(parameters, batch, gradient);
  return losses;
}

template <class S>
View<const S> Network<S>::input_gradient() const {
  return work_->by_sequence(work_->at.gradient.output);
}

template class Network<float>;
template class Network<double>;

}  // namespace poslab::network
