// SPDX-License-Identifier: Apache-2.0
#include "poslab/network/stack.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "poslab/base/error.hpp"
#include "stack_work.hpp"

namespace poslab::network {
namespace {

using Schemes = host::LayerSchemes;

// Each once, and null if a layer has none.
std::vector<const host::Scheme*> different(const Schemes& schemes) {
  std::vector<const host::Scheme*> once;
  for (const host::Scheme* scheme : schemes.list())
    if (std::find(once.begin(), once.end(), scheme) == once.end()) once.push_back(scheme);
  return once;
}

attention::Gradient gradient_of(const StackCapacity& capacity) {
  if (capacity.kept_layers == 0) return attention::Gradient::none;
  return capacity.weight_gradients ? attention::Gradient::all : attention::Gradient::inputs;
}

// Gradients by weights of `transform` need its input.
bool keeps_before(const Schemes& schemes, const StackCapacity& capacity, const std::vector<host::Side>& sides) {
  return gradient_of(capacity) == attention::Gradient::all && schemes.any([&](const host::Scheme& scheme) {
    return scheme.has_trainable_weights() &&
           std::any_of(sides.begin(), sides.end(), [&](host::Side side) { return scheme.transforms(side); });
  });
}

attention::BatchSize attention_size(const StackOptions& options, const StackCapacity& capacity) {
  return {capacity.sequences, options.heads, capacity.length, options.model_width / options.heads};
}

ActivationSize activation_size(const Schemes& schemes, const StackCapacity& capacity) {
  return {capacity.sequences, capacity.length, capacity.kept_layers,
          keeps_before(schemes, capacity, {host::Side::query, host::Side::key}),
          keeps_before(schemes, capacity, {host::Side::value})};
}

template <class S>
Index numbers_of(const StackOptions& options, const ActivationSize& size) {
  Arena<S> counting(nullptr);
  Activations<S> nowhere;
  lay_out(options, size, counting, nowhere);
  return counting.taken();
}

}  // namespace

template <class S>
Stack<S>::Work::Work(const StackOptions& options_, const Schemes& schemes, const StackCapacity& capacity_)
    : options(options_),
      capacity(capacity_),
      largest(activation_size(schemes, capacity)),
      block{numbers_of<S>(options, largest)} {
  for (const host::Scheme* scheme : different(schemes))
    attentions.push_back({scheme, {scheme, attention_size(options, capacity), gradient_of(capacity)}});
}

template <class S>
attention::BatchAttention<S>& Stack<S>::Work::attention_of(const host::Scheme* scheme) {
  const auto found =
      std::find_if(attentions.begin(), attentions.end(), [&](const OfScheme& of) { return of.scheme == scheme; });
  if (found == attentions.end()) throw base::Error("a layer of a scheme that its stack was not made for");
  return found->attention;
}

template <class S>
Stack<S>::Stack(const StackOptions& options, const Schemes& schemes, const StackCapacity& capacity)
    : work_(std::make_unique<Work>(options, schemes, capacity)) {}

template <class S>
Stack<S>::~Stack() = default;

template <class S>
double Stack<S>::bytes(const StackOptions& options, const Schemes& schemes, const StackCapacity& capacity) {
  double numbers = static_cast<double>(numbers_of<S>(options, activation_size(schemes, capacity)));
  for (const host::Scheme* scheme : different(schemes))
    numbers += attention::BatchAttention<S>::numbers(scheme, attention_size(options, capacity), gradient_of(capacity));
  if (capacity.kept_layers == 0) {
    const Index rows = capacity.sequences * capacity.length,
                at_work = std::min<Index>(row_tiles_of(rows), tbb::this_task_arena::max_concurrency());
    numbers +=
        static_cast<double>(at_work * std::min(rows, rows_per_tile) * (2 * options.model_width + options.feed_forward));
  }
  return sizeof(S) * numbers;
}

template <class S>
View<S> Stack<S>::begin(Index B, Index T, host::Positions positions) {
  Work& work = *work_;
  if (B > work.capacity.sequences || T > work.capacity.length)
    throw base::Error(fmt::format("a batch of {} sequences of {} tokens for a stack that was made for {} of {}", B, T,
                                  work.capacity.sequences, work.capacity.length));
  if (work.at.sequences != B || work.at.length != T) {
    Arena<S> arena(work.block.data());
    ActivationSize size = work.largest;
    size.sequences = B, size.length = T;
    lay_out(work.options, size, arena, work.at);
  }
  work.positions = positions;
  work.done = 0;
  return work.by_sequence(work.at.stream(0));
}

template <class S>
void Stack<S>::encode(const host::Scheme* scheme, const std::vector<View<const S>>& scheme_weights) {
  work_->encode(scheme, scheme_weights);
}

template <class S>
void Stack<S>::encode(const host::LayerWeights<S>& weights) {
  for (const auto& [part, of_scheme] : weights.parts())
    work_->encode(part.scheme, of_scheme.layer(part.layers.front()));
}

template <class S>
void Stack<S>::step(const StackLayer<S>& layer, const StackVisitor<S>& visit) {
  Work& work = *work_;
  work.attend(work.done, layer, true, visit);
  work.write_sublayers(work.done, layer);
  ++work.done;
}

template <class S>
void Stack<S>::look(const StackLayer<S>& layer, const StackVisitor<S>& visit) {
  work_->attend(work_->done, layer, false, visit);
}

template <class S>
View<const S> Stack<S>::stream() const {
  return work_->by_sequence(work_->at.stream(work_->done));
}

template <class S>
AttentionInputs<S> Stack<S>::attention_inputs() const {
  const LayerActivations<S>& a = work_->at.layer(work_->seen);
  return {a.query, a.key, work_->by_sequence(a.normed1)};
}

template <class S>
View<S> Stack<S>::gradient() {
  return work_->by_sequence(work_->at.gradient.output);
}

template <class S>
void Stack<S>::back(Index l, const StackLayer<S>& layer, const LayerOf<View<S>>& gradients) {
  work_->back(l, layer, gradients);
}

template <class S>
void Stack<S>::encode_back(const host::Scheme* scheme, const std::vector<View<const S>>& scheme_weights,
                           const std::vector<View<S>>& weight_gradients) {
  work_->encode_back(scheme, scheme_weights, weight_gradients);
}

template class Stack<float>;
template class Stack<double>;

}  // namespace poslab::network
