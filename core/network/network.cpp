// SPDX-License-Identifier: Apache-2.0
// A network: embedding, stack and head.
// Dimension letters: B sequences, T tokens of each, M = B T rows, D model width, W vector width, V vocabulary.
#include "poslab/network/network.hpp"

#include <fmt/format.h>

#include <utility>

#include "poslab/base/error.hpp"
#include "tiles.hpp"
#include "weight_gradients.hpp"

namespace poslab::network {
namespace {

StackCapacity stack_capacity(const Configuration& configuration, const Capacity& capacity) {
  return {capacity.sequences, capacity.length, capacity.gradient ? configuration.layers : 0, capacity.gradient};
}

}  // namespace

StackOptions stack_options(const Configuration& c) {
  return {.model_width = c.model_width,
          .heads = c.heads,
          .feed_forward = c.feed_forward,
          .train_length = c.train_length,
          .causal = c.causal,
          .norm = c.norm,
          .activation = c.activation};
}

void MeanLoss::add(std::span<const TokenLoss> losses, View<const std::uint8_t> loss_mask) {
  for (std::size_t m = 0; m < losses.size(); ++m)
    if (loss_mask.data[m]) {
      sum_ += losses[m].loss;
      ++count_;
    }
}

double mean_loss(std::span<const TokenLoss> losses, View<const std::uint8_t> loss_mask) {
  MeanLoss mean;
  mean.add(losses, loss_mask);
  return mean.value();
}

template <class S>
struct Network<S>::Work {
  Work(const Configuration& configuration_, const host::LayerSchemes& schemes_, const Layout& layout_,
       const Capacity& capacity);

  std::span<const TokenLoss> forward(const Parameters<S>& parameters, const Batch& batch,
                                     const AttentionVisitor<S>& visit, bool with_gradient);
  void backward(const Parameters<S>& parameters, const Batch& batch, Parameters<S>& gradient);

  void begin(const Batch& batch);
  void embed(const Parameters<S>& parameters, const Batch& batch);
  void embed_backward(const Parameters<S>& parameters, const Batch& batch, Parameters<S>& gradient);
  void head(const Parameters<S>& parameters, const Batch& batch, bool with_gradient);
  void head_backward(const Parameters<S>& parameters, Parameters<S>& gradient);

  const LayerIndices& indices(Index l) const { return layout.layers[static_cast<std::size_t>(l)]; }
  StackLayer<S> layer(Index l, const Parameters<S>& parameters) const {
    return {schemes.layer(l), parameters.of(indices(l))};
  }
  Index rows() const { return stream.shape[0] * stream.shape[1]; }
  // Those that the batch has, of an array for the largest one.
  View<S> of_batch(Array<S>& all) const { return all.view().rows(0, rows()); }
  static View<S> as_rows(View<S> x) { return {x.data, {x.shape[0] * x.shape[1], x.shape[2]}}; }

  Configuration configuration;
  host::LayerSchemes schemes;
  std::vector<host::LayerSchemes::Part> encoding;  // the schemes that encode, with their layers
  const Layout& layout;
  Stack<S> stack;
  Array<double> consecutive;             // [T, 1]: positions 0, 1, ...
  Array<S> vectors;                      // [M, W], where there are such
  View<S> stream;                        // [B, T, D] of the batch, as it enters the layers
  Array<S> normed, mean, scale, logits;  // of the head: [M, D], [M], [M], [M, V]
  Array<S> norm_sums;                    // [tiles, 2, D]
  std::vector<double> factors;           // [M]: of each token's loss in the mean
  std::vector<TokenLoss> losses;         // [M]
};

template <class S>
Network<S>::Work::Work(const Configuration& configuration_, const host::LayerSchemes& schemes_, const Layout& layout_,
                       const Capacity& capacity)
    : configuration(configuration_),
      schemes(schemes_),
      encoding(schemes.parts(configuration.layers)),
      layout(layout_),
      stack(stack_options(configuration), schemes, stack_capacity(configuration, capacity)),
      consecutive{capacity.length, 1} {
  std::erase_if(encoding, [](const auto& part) { return !part.scheme->has(host::Operation::encode); });
  const Index M = capacity.sequences * capacity.length, D = configuration.model_width;
  if (configuration.vector_width > 0) vectors = Array<S>{M, configuration.vector_width};
  normed = Array<S>{M, D};
  for (Array<S>* numbers : {&mean, &scale}) *numbers = Array<S>{M};
  logits = Array<S>{M, configuration.vocabulary};
  if (capacity.gradient) norm_sums = Array<S>{row_tiles_of(M), 2, D};
  factors.resize(static_cast<std::size_t>(M));
  losses.resize(factors.size());
  for (Index t = 0; t < capacity.length; ++t) consecutive(t, 0) = static_cast<double>(t);
}

template <class S>
void Network<S>::Work::begin(const Batch& batch) {
  const Index B = batch.tokens.shape[0], T = batch.tokens.shape[1], W = configuration.vector_width;
  if ((W > 0) != (batch.vectors.data != nullptr) || (W > 0 && batch.vectors.size() != B * T * W))
    throw base::Error(fmt::format("a batch of vectors of another width than the network's, which is {}", W));
  if (batch.has_own_positions())
    throw base::Error("a batch whose sequences have positions of their own is taken whole");
  const bool placed = batch.positions.data != nullptr;
  stream = stack.begin(B, T, placed ? batch.positions : std::as_const(consecutive).view().rows(0, T));
  double count = 0;
  for (const std::uint8_t asked : batch.loss_mask.flat()) count += asked != 0;
  for (Index m = 0; m < rows(); ++m) factors[static_cast<std::size_t>(m)] = batch.loss_mask.data[m] ? 1 / count : 0;
}

// The stream is scale embedding[token], or scale embedding . vector, and what the scheme encodes.
template <class S>
void Network<S>::Work::embed(const Parameters<S>& parameters, const Batch& batch) {
  const View<S> x = as_rows(stream);
  if (layout.vector_embedding >= 0) {
    std::transform(batch.vectors.begin(), batch.vectors.end(), vectors.data(),
                   [&](double number) { return static_cast<S>(layout.embedding_scale * number); });
    linear<S>(of_batch(vectors), parameters[layout.vector_embedding], {}, x);
  } else {
    const View<const S> embedding = parameters[layout.token_embedding];
    const S factor = static_cast<S>(layout.embedding_scale);
    for (Index m = 0; m < rows(); ++m)
      for (Index a = 0; a < x.shape[1]; ++a) x(m, a) = factor * embedding(batch.tokens.data[m], a);
  }
  for (const auto& [scheme, layers] : encoding) stack.encode(scheme, parameters.of(indices(layers.front())).scheme);
}

template <class S>
void Network<S>::Work::head(const Parameters<S>& parameters, const Batch& batch, bool with_gradient) {
  const View<const S> stack_stream = stack.stream();
  const View<const S> last(stack_stream.data, {rows(), configuration.model_width});
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](Array<S>& x) { return x.view().rows(first, count); };
    normalise<S>({configuration.norm}, last.rows(first, count), parameters[layout.norm.weight],
                 parameters[layout.norm.bias], of(normed), of(mean), of(scale));
    linear<S>(of(normed), parameters[layout.unembedding], {}, of(logits));
    cross_entropy<S>(of(logits), batch.targets.data + first, factors.data() + first, losses.data() + first,
                     with_gradient);
  });
}

template <class S>
std::span<const TokenLoss> Network<S>::Work::forward(const Parameters<S>& parameters, const Batch& batch,
                                                     const AttentionVisitor<S>& visit, bool with_gradient) {
  begin(batch);
  embed(parameters, batch);
  for (Index l = 0; l < configuration.layers; ++l) {
    StackVisitor<S> look;
    if (visit) look = [&visit, l](Index sequence, Index first, View<const S> seen) { visit(l, sequence, first, seen); };
    stack.step(layer(l, parameters), look);
  }
  head(parameters, batch, with_gradient);
  return {losses.data(), static_cast<std::size_t>(rows())};
}

// `logits` hold the gradient by themselves; `normed`, once that by the unembedding is made, holds its own.
template <class S>
void Network<S>::Work::head_backward(const Parameters<S>& parameters, Parameters<S>& gradient) {
  const WeightGradient<S> unembedding{of_batch(logits), of_batch(normed), {gradient[layout.unembedding], {}}};
  add_weight_gradients<S>({&unembedding, 1});
  const View<const S> stack_stream = stack.stream();
  const View<const S> last(stack_stream.data, {rows(), configuration.model_width});
  const View<S> by_last = as_rows(stack.gradient());
  const NormGradient<S> norm(norm_sums.view().rows(0, row_tiles_of(rows())), 0,
                             {gradient[layout.norm.weight], gradient[layout.norm.bias]});
  for_each_row_tile(rows(), [&](Index first, Index count) {
    const auto of = [&](Array<S>& x) { return x.view().rows(first, count); };
    const View<S> dx = by_last.rows(first, count);
    linear_input_gradient<S>(of(logits), parameters[layout.unembedding], of(normed));
    std::fill(dx.begin(), dx.end(), S(0));
    const Affine<View<S>> sums = norm.begin_tile(first);
    normalise_gradient<S>(configuration.norm, last.rows(first, count), parameters[layout.norm.weight], of(mean),
                          of(scale), of(normed), dx, sums.weight, sums.bias);
  });
  norm.add_up();
}

template <class S>
void Network<S>::Work::embed_backward(const Parameters<S>& parameters, const Batch& batch, Parameters<S>& gradient) {
  const View<S> dx = as_rows(stack.gradient());
  if (layout.vector_embedding >= 0) {
    const WeightGradient<S> embedding{dx, of_batch(vectors), {gradient[layout.vector_embedding], {}}};
    add_weight_gradients<S>({&embedding, 1});
  } else {
    const View<S> embedding = gradient[layout.token_embedding];
    const S factor = static_cast<S>(layout.embedding_scale);
    for (Index m = 0; m < rows(); ++m)
      for (Index a = 0; a < dx.shape[1]; ++a) embedding(batch.tokens.data[m], a) += factor * dx(m, a);
  }
  for (const auto& [scheme, layers] : encoding) {
    const LayerIndices& first = indices(layers.front());
    stack.encode_back(scheme, parameters.of(first).scheme, gradient.of(first).scheme);
  }
}

template <class S>
void Network<S>::Work::backward(const Parameters<S>& parameters, const Batch& batch, Parameters<S>& gradient) {
  std::fill(gradient.flat().begin(), gradient.flat().end(), S(0));
  head_backward(parameters, gradient);
  for (Index l = configuration.layers; l-- > 0;) stack.back(l, layer(l, parameters), gradient.of(indices(l)));
  embed_backward(parameters, batch, gradient);
}

Batch Batch::sequence(Index number) const {
  Batch one = rows(number, 1);
  if (has_own_positions()) one.positions = positions[number];
  if (!lengths.data) return one;
  const Index N = lengths(number);
  one.tokens = {one.tokens.data, {1, N}}, one.targets = {one.targets.data, {1, N}};
  one.loss_mask = {one.loss_mask.data, {1, N}};
  if (one.positions.data) one.positions = one.positions.rows(0, N);
  if (one.vectors.data) one.vectors = {one.vectors.data, {1, N, vectors.shape[2]}};
  one.lengths = {};
  return one;
}

template <class S>
Network<S>::Network(const Configuration& configuration, const host::LayerSchemes& schemes, const Layout& layout,
                    const Capacity& capacity)
    : work_(std::make_unique<Work>(configuration, schemes, layout, capacity)) {}

template <class S>
Network<S>::~Network() = default;

template <class S>
double Network<S>::bytes(const Configuration& configuration, const host::LayerSchemes& schemes,
                         const Capacity& capacity) {
  const Index M = capacity.sequences * capacity.length, D = configuration.model_width;
  const Index numbers = M * (D + 2 + configuration.vocabulary + configuration.vector_width) +
                        (capacity.gradient ? row_tiles_of(M) * 2 * D : 0);
  return Stack<S>::bytes(stack_options(configuration), schemes, stack_capacity(configuration, capacity)) +
         static_cast<double>(sizeof(S)) * static_cast<double>(numbers) +
         static_cast<double>(M) * static_cast<double>(sizeof(TokenLoss) + sizeof(double)) +
         static_cast<double>(sizeof(double)) * static_cast<double>(capacity.length);
}

template <class S>
std::span<const TokenLoss> Network<S>::evaluate(const Parameters<S>& parameters, const Batch& batch,
                                                const AttentionVisitor<S>& visit) {
  return work_->forward(parameters, batch, visit, false);
}

// Where a token does not count, its logits are left as they are.
template <class S>
View<const S> Network<S>::logits(const Parameters<S>& parameters, const Batch& batch) {
  const std::vector<std::uint8_t> none(static_cast<std::size_t>(batch.tokens.size()));
  Batch uncounted = batch;
  uncounted.loss_mask = {none.data(), {batch.tokens.shape[0], batch.tokens.shape[1]}};
  work_->forward(parameters, uncounted, {}, false);
  return std::as_const(work_->logits).view().rows(0, work_->rows());
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
  return work_->stack.gradient();
}

template class Network<float>;
template class Network<double>;

}  // namespace poslab::network
