// SPDX-License-Identifier: Apache-2.0
// Does the residual stream still tell where a token stands? Definitions: survival.md.
#include "survival.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "poslab/experiment/given_network.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "probe.hpp"

namespace poslab::experiments {
namespace survival {

Axes<Survival> Survival::axes() {
  return {
      {&Survival::length, length_axis(64)},
      {&Survival::mask, mask_axis()},
      {&Survival::symbols,
       {.name = "symbols",
        .default_value = 32,
        .range = {.lowest = 1, .highest = 1e6},
        .sentence = "V: tokens are drawn alike and independently from so many"}},
      {&Survival::feed_forward,
       {.name = "feed_forward",
        .default_value = 4,
        .range = {.lowest = 0, .highest = 64},
        .unit = "d_model",
        .sentence = "width of the feed-forward part over that of the model; 0 leaves attention alone"}},
      {&Survival::sequences,
       {.name = "sequences",
        .default_value = 180,
        .range = {.lowest = 1, .highest = 1e6},
        .unit = "sequences",
        .sentence = "how many random sequences the probe is fitted on"}},
      {&Survival::held_out,
       {.name = "held_out",
        .default_value = 60,
        .range = {.lowest = 1, .highest = 1e6},
        .unit = "sequences",
        .sentence = "how many more it is judged on"}},
      {&Survival::penalty,
       {.name = "penalty",
        .default_value = 1.0,
        .range = {.lowest = 0, .highest = 1e12, .above_lowest = true},
        .sentence = "of the ridge regression, on the squared coefficients of standardised channels"}},
      {&Survival::dtype, dtype_axis()},
      {&Survival::depth,
       {.name = "depth",
        .default_value = {0, 1, 2, 3, 4},
        .range = {.lowest = 0, .highest = 1000},
        .unit = "layers",
        .sentence = "after how many layers the residual stream is looked at; 0 is the layers' input"}},
  };
}

namespace {

// [V, D]: numbers N(0, 1), or as a trained network has them.
template <class S>
Array<S> embedding_of(const Survival& at, const data::Draws& draws, const GivenStack<S>* given, Index D) {
  if (!given) return as<S>(draws.normal("embedding", {at.symbols, D}));
  Array<S> embedding{at.symbols, D};
  for (Index token = 0; token < at.symbols; ++token) {
    const std::vector<S> row = given->embedded(token);
    std::copy(row.begin(), row.end(), &embedding(token, 0));
  }
  return embedding;
}

// content [B, T, D]: independent tokens, embedded.
template <class S>
void draw_content(const Survival& at, const data::Draws& draws, const GivenStack<S>* given, View<S> content) {
  const Index D = content.shape[2];
  const Index V = at.symbols, B = at.capacity().sequences, T = at.length;
  const Array<S> embedding = embedding_of(at, draws, given, D);
  const base::Stream tokens = draws.contents("tokens", {B, T});
  for (Index m = 0; m < B * T; ++m) {
    const auto token = static_cast<Index>(tokens.below(static_cast<std::uint64_t>(m), static_cast<std::uint64_t>(V)));
    std::copy_n(&embedding(token, 0), D, content.data + m * D);
  }
}

template <class S>
std::vector<Found> look(const Survival& at, const ExperimentInput& input, const std::vector<double>& wanted) {
  std::optional<GivenStack<S>> given;
  if (input.network) given.emplace(input);
  const network::StackOptions options = given ? given->options() : at.stack(input.scheme.model());
  const network::StackCapacity capacity = at.capacity();
  const Index B = capacity.sequences, T = capacity.length;
  const host::LayerSchemes schemes = input.layers();
  const host::LayerWeights<S> weights = draw_layer_weights<S>(input, at.scheme_layers());
  const Array<double> positions = input.positions(T);
  network::Stack<S> stack(options, schemes, capacity);
  draw_content<S>(at, input.draws, given ? &*given : nullptr, stack.begin(B, T, positions));
  stack.encode(weights);
  const double constant = sizeof(S) == sizeof(double) ? 1e-9 : 1e-4;
  std::vector<Found> found;
  for (Index depth = 0; depth <= static_cast<Index>(wanted.back()); ++depth) {
    if (depth > 0)
      stack.step(given ? given->layer(depth - 1)
                       : network::draw_random_layer<S>(input.draws, depth - 1, options)
                             .with(*schemes.layer(depth - 1), weights.layer(depth - 1)));
    if (std::find(wanted.begin(), wanted.end(), static_cast<double>(depth)) == wanted.end()) continue;
    Array<double> stream{B, T, options.model_width};
    std::copy(stack.stream().begin(), stack.stream().end(), stream.data());
    found.push_back(probe_places(stream, at.sequences, at.penalty, constant));
  }
  return found;
}

}  // namespace

Index Survival::scheme_layers() const { return std::max<Index>(1, static_cast<Index>(rising(depth).back())); }

std::optional<base::Refusal> Survival::why_skip(const Setting& of) const {
  if (auto refusal = why_not_whole(depth, "depth", "layers")) return refusal;
  if (length < 2) return "a sequence of 1 token has one place, and nothing to find: a length of 2 or more is needed";
  return of.why_not_attended(mask == AttentionMask::causal, length);
}

std::optional<base::Refusal> Survival::why_not_network(const Setting& of, const data::Values& axes) const {
  if (auto refusal = why_not_looked_into(of, axes, scheme_layers())) return refusal;
  const Index known = vocabulary_of(*of.network);
  if (symbols <= known) return std::nullopt;
  return fmt::format("it knows {} symbols, and {} are asked for", known, symbols);
}

// The stack; of its stream, in double, what a probe is fitted to twice more.
data::Estimate Survival::estimate(const Setting& of) const {
  const Needs needs(of.layers(), dtype);
  const network::StackOptions options = stack(of.scheme.model());
  const auto [rows, fitted, layers, probes, F] = reckoned(capacity().sequences * length, sequences * length,
                                                          scheme_layers(), rising(depth).size(), options.feed_forward);
  const double D = needs.D;
  return {needs.stack(options, capacity()) +
              std::max({needs.stack_weights(F), needs.bytes * rows * D, 8 * (rows + 2 * fitted) * D}),
          layers * (needs.draw(4 * D * D + 2 * D * F) + needs.stack_layer(options, capacity())) +
              probes * (needs.products(fitted * D * D) + 30 * rows * D)};
}

void Survival::run(const ExperimentInput& input, Output& out) const {
  const std::vector<double> wanted = rising(depth);
  const std::vector<Found> found = with_dtype(dtype, [&]<class S>(S) { return look<S>(*this, input, wanted); });
  std::vector<double> on_others, error, on_fitted;
  for (const Found& at : found) {
    on_others.push_back(at.r2);
    error.push_back(at.mean_absolute_error);
    on_fitted.push_back(at.fitted_r2);
  }
  out.coordinate<Depth>(wanted);
  out.set(r2, on_others);
  out.set(mean_absolute_error, error);
  out.set(fitted_r2, on_fitted);
  out.set(chance_r2, 0);
  out.set(chance_error, error_of_chance(length));
}

}  // namespace survival

Experiment make_survival() { return experiment_of<survival::Survival>(); }

}  // namespace poslab::experiments
