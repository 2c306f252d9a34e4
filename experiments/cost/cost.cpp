// SPDX-License-Identifier: Apache-2.0
#include "cost.hpp"

#include "poslab/attention/attention.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/training_estimate.hpp"
#include "poslab/network/network.hpp"
#include "work.hpp"

namespace poslab::experiments {
namespace cost {
namespace {

AxisOf<std::int64_t> whole(const char* name, std::int64_t default_value, const char* sentence) {
  return {.name = name, .default_value = default_value, .range = from_one, .sentence = sentence};
}

}  // namespace

Axes<Cost> Cost::axes() {
  return {
      {&Cost::length, length_axis()},
      {&Cost::sequences, whole("sequences", 8, "B: how many sequences a training step sees")},
      {&Cost::layers, whole("layers", 2, "L: layers of the network")},
      {&Cost::feed_forward, whole("feed_forward", 512, "F: hidden units of a feed-forward layer")},
      {&Cost::alphabet, whole("alphabet", 64, "V: tokens that there are")},
      {&Cost::dtype, dtype_axis()},
      {&Cost::timed,
       {.name = "timed",
        .choices = {{Timed::nothing, "nothing"},
                    {Timed::encode, "encode"},
                    {Timed::attention, "attention"},
                    {Timed::training_step, "training-step"}},
        .sentence =
            "what the cell does, so that its seconds can be read from provenance; what is counted is the same"}},
      {&Cost::times, whole("times", 10, "how often it does that")},
  };
}

Size Cost::size(const host::Scheme& scheme) const {
  Size size;
  size.network.vocabulary = alphabet;
  size.network.model_width = scheme.model().model_width;
  size.network.heads = scheme.model().heads;
  size.network.layers = layers;
  size.network.feed_forward = feed_forward;
  size.network.train_length = length;
  size.network.causal = scheme.mask() != host::Mask::bidirectional_only;
  size.sequences = sequences;
  size.length = length;
  return size;
}

std::optional<base::Refusal> Cost::why_skip(const Setting& of) const { return of.why_not_length(length); }

void Cost::run(const ExperimentInput& input, Output& out) const {
  const host::Scheme& scheme = input.scheme;
  const Size of = size(scheme);
  const double number = with_dtype(dtype, [](auto scalar) { return static_cast<double>(sizeof(scalar)); });
  const SchemeParameters parameters = parameters_of(scheme, layers);
  const double stored = number * (parameters.learned + parameters.frozen);
  out.set(scheme_parameters, parameters.learned);
  out.set(frozen_parameters, parameters.frozen);
  out.set(network_parameters, count_parameters(of.network));
  out.set(bytes, stored);
  out.set(training_bytes, stored + 3 * number * parameters.learned);
  out.set(encode_operations, operations_of_encode(scheme, of));
  out.set(attention_operations_none, operations_of_attention(nullptr, of));
  out.set(attention_operations, operations_of_attention(&scheme, of));
  out.set(training_operations_none, operations_of_training(nullptr, of));
  out.set(training_operations, operations_of_training(&scheme, of));
  if (timed != Timed::nothing) with_dtype(dtype, [&]<class S>(S) { work<S>(*this, input); });
}

// What is timed: a network that trains, with a gradient and two moments of every number; attention of one sequence; or
// its codes.
data::Estimate Cost::estimate(const Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [B, N, often] = reckoned(sequences, length, times);
  const double D = needs.D;
  const network::Configuration network = size(of.scheme).network;
  const double pairs = size(of.scheme).pairs(), drawn = needs.draw(N * D);
  switch (timed) {
    case Timed::nothing: return {1e4, 1e4};
    case Timed::encode: return {needs.bytes * 5 * N * D, drawn + often * needs.encode(N)};
    case Timed::attention:
      return {needs.bytes * (3 * N * D + needs.attention(length)),
              drawn + often * (needs.transform(N) + needs.attend(pairs) + needs.softmax(pairs) +
                               needs.products(pairs * D))};
    case Timed::training_step: break;
  }
  const network::Layout layout(network, &of.scheme);
  const auto [numbers] = reckoned(layout.size());
  return {needs.bytes * 5 * numbers + needs.network_of(network, {sequences, length, true}),
          needs.draw(numbers) + often * (3 * B * N * steps_of_token(network, of.scheme, dtype, length) + 10 * numbers)};
}

}  // namespace cost

Experiment make_cost() { return experiment_of<cost::Cost>(); }

}  // namespace poslab::experiments
