// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/given_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "poslab/attention/heads.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/network/layers.hpp"

namespace poslab::experiments {
namespace {

using base::Index;
using data::KeptArray;

constexpr const char* of_network = "network/";

const KeptArray* array_of(const data::GivenNetwork& given, const std::string& name) {
  return data::find_array(given.arrays, name);
}

std::vector<std::int64_t> extents_of(const network::ParameterInfo& info) {
  return {info.shape.begin(), info.shape.begin() + info.rank};
}

// What it is fed with, by the extents of its arrays.
Feed what_feeds(const data::GivenNetwork& given) {
  const KeptArray *embedding = array_of(given, "network/token_embedding"),
                  *vectors = array_of(given, "network/vector_embedding"),
                  *head = array_of(given, "network/unembedding");
  Feed feed{0, 0};
  if (vectors && vectors->shape.size() == 2) feed.vector_width = vectors->shape[1];
  for (const KeptArray* array : {head, embedding})
    if (array && array->shape.size() == 2) feed.vocabulary = array->shape[0];
  return feed;
}

NetworkAxes axes_of(const data::GivenNetwork& given) {
  NetworkAxes axes{};
  for (const BoundAxis<NetworkAxes>& axis : network_axes()) axis.set(axes, given.axes);
  return axes;
}

// Where training begins is no part of the network that it made.
bool is_of_architecture(const std::string& axis) { return axis != "init_std"; }

network::Configuration configuration_of(const data::GivenNetwork& given, const host::Model& model) {
  return axes_of(given).network(model, what_feeds(given), model.train_length);
}

}  // namespace

// "layer0.query.weight" -> "network/layer0/query/weight"; "layer1.scheme.keys" -> "scheme/keys/1"
std::string kept_name(const network::ParameterInfo& info) {
  std::string name = info.name;
  if (info.of_scheme) {
    const std::size_t at = name.find("scheme.");
    const std::string layer = at == 0 ? "" : "/" + name.substr(5, at - 6);
    return "scheme/" + name.substr(at + 7) + layer;
  }
  std::replace(name.begin(), name.end(), '.', '/');
  return of_network + name;
}

data::KeptArray array_of_text(const std::string& name, const std::string& text) {
  const auto* characters = reinterpret_cast<const unsigned char*>(text.data());
  return {name, {std::ssize(text)}, std::vector<double>(characters, characters + text.size())};
}

std::string text_of(const KeptArray& array) {
  std::string text;
  for (std::size_t i = 0; i < array.size(); ++i) text += static_cast<char>(static_cast<unsigned char>(array.value(i)));
  return text;
}

std::string symbols_of(const data::GivenNetwork& given) {
  const KeptArray* array = array_of(given, kept::text_symbols);
  return array ? text_of(*array) : "";
}

Index vocabulary_of(const data::GivenNetwork& given) { return what_feeds(given).vocabulary; }

Index feed_forward_of(const data::GivenNetwork& given, const host::Model& model) {
  const std::int64_t* times = std::get_if<std::int64_t>(given.axes.find("feed_forward"));
  return times ? *times * model.model_width : 0;
}

std::optional<base::Refusal> why_another_network(const data::GivenNetwork& given, const data::Values& axes) {
  for (const BoundAxis<NetworkAxes>& axis : network_axes()) {
    const std::string& name = axis.info().name;
    if (!is_of_architecture(name)) continue;
    const data::Value* trained = given.axes.find(name);
    if (!trained || data::why_not(axis.info(), *trained))
      return fmt::format("its file does not say its {}, as files of today do; train it again", name);
    const data::Value* asked = axes.find(name);
    if (asked && *asked != *trained)
      return fmt::format("it was trained with {} = {}, and {} is asked for", name, data::to_text(*trained),
                         data::to_text(*asked));
  }
  return std::nullopt;
}

namespace {

// Why the array of this name is not that of `info`.
std::optional<base::Refusal> why_not_array(const data::GivenNetwork& given, const std::string& name,
                                           const network::ParameterInfo& info) {
  const KeptArray* array = array_of(given, name);
  if (!array) return fmt::format("it has no array {}", name);
  if (array->shape != extents_of(info))
    return fmt::format("its array {} is {}, and {} is wanted", name, array->shape_text(),
                       KeptArray{"", extents_of(info), {}}.shape_text());
  for (std::size_t i = 0; i < array->size(); ++i)
    if (!std::isfinite(array->value(i))) return fmt::format("its array {} is no number at {}", name, i);
  return std::nullopt;
}

bool is_count(const KeptArray& array) {
  return array.shape.empty() && array.value(0) >= 0 && array.value(0) < 1e15 &&
         array.value(0) == std::floor(array.value(0));
}

std::optional<base::Refusal> why_not_moments(const network::Layout& layout, const data::GivenNetwork& given) {
  if (!has_moments(given)) return std::nullopt;
  for (const network::ParameterInfo& info : layout.parameters())
    for (const char* moment : {kept::first_moment, kept::second_moment}) {
      if (info.frozen) continue;
      if (auto refusal = why_not_array(given, moment + kept_name(info), info)) return refusal;
    }
  return std::nullopt;
}

template <class S>
void set_array(const data::GivenNetwork& given, const std::string& name, base::View<S> numbers) {
  const KeptArray* array = array_of(given, name);
  std::size_t i = 0;
  for (S& number : numbers.flat()) number = static_cast<S>(array->value(i++));
}

}  // namespace

std::optional<base::Refusal> why_not_arrays(const network::Layout& layout, const data::GivenNetwork& given) {
  std::set<std::string> known{kept::embedding_scale, kept::batches_seen};
  for (const char* count : {kept::batches_seen, kept::optimiser_steps})
    if (const KeptArray* array = array_of(given, count); array && !is_count(*array))
      return fmt::format("its {} is no whole number from 0", count);
  if (const KeptArray* scale = array_of(given, kept::embedding_scale);
      scale && scale->value(0) != layout.embedding_scale)
    return fmt::format("its embeddings were multiplied by {}, and here they are by {}", scale->value(0),
                       layout.embedding_scale);
  for (const network::ParameterInfo& info : layout.parameters()) {
    const std::string name = kept_name(info);
    known.insert(name);
    if (info.of_scheme && array_of(given, name)) continue;  // why_not_weights says more
    if (auto refusal = why_not_array(given, name, info)) return refusal;
  }
  for (const KeptArray& array : given.arrays)
    if (array.name.starts_with(of_network) && known.count(array.name) == 0)
      return fmt::format("it has an array {}, which the network that is asked for has not", base::excerpt(array.name));
  return why_not_moments(layout, given);
}

std::optional<base::Refusal> why_not_whole(const data::GivenNetwork& given, const host::LayerSchemes& schemes) {
  if (auto refusal = why_another_network(given, {})) return refusal;
  const network::Configuration configuration = configuration_of(given, schemes.first().model());
  if (configuration.vocabulary < 1) return "it has no logits";
  if (auto refusal = why_not_arrays(network::Layout(configuration, schemes), given)) return refusal;
  return why_not_weights(schemes, data::scheme_weights_of(given), configuration.layers);
}

template <class S>
void set_network_arrays(const data::GivenNetwork& given, network::Parameters<S>& parameters) {
  const std::vector<network::ParameterInfo>& all = parameters.layout().parameters();
  for (std::size_t index = 0; index < all.size(); ++index) {
    if (all[index].of_scheme) continue;
    set_array(given, kept_name(all[index]), parameters[static_cast<network::ParameterIndex>(index)]);
  }
}

std::uint64_t batches_seen_by(const data::GivenNetwork& given) {
  const KeptArray* seen = array_of(given, kept::batches_seen);
  return seen ? static_cast<std::uint64_t>(seen->value(0)) : static_cast<std::uint64_t>(given.training.steps);
}

bool is_of_optimiser(const KeptArray& array) {
  return array.name == kept::optimiser_steps || array.name.starts_with(kept::first_moment) ||
         array.name.starts_with(kept::second_moment);
}

bool wants_moments(const data::Values& axes) {
  const data::Value* moments = axes.find("moments");
  return moments && data::to_text(*moments) == "kept";
}

bool has_moments(const data::GivenNetwork& given) { return array_of(given, kept::optimiser_steps) != nullptr; }

template <class S>
void take_moments(const data::GivenNetwork& given, training::Trainer<S>& trainer) {
  const network::Layout& layout = trainer.parameters().layout();
  network::Parameters<S> first(layout), second(layout);
  for (network::ParameterIndex index = 0; index < static_cast<network::ParameterIndex>(layout.parameters().size());
       ++index) {
    const network::ParameterInfo& info = layout.at(index);
    if (info.frozen) continue;
    set_array(given, kept::first_moment + kept_name(info), first[index]);
    set_array(given, kept::second_moment + kept_name(info), second[index]);
  }
  trainer.take_over(first, second, static_cast<std::uint64_t>(array_of(given, kept::optimiser_steps)->value(0)));
}

std::string moments_note(const data::GivenNetwork& given, const data::Values& axes) {
  if (!wants_moments(axes)) return "";
  return has_moments(given) ? "with its moments" : "which keeps no moments: they begin anew";
}

template <class S>
GivenStack<S>::GivenStack(const ExperimentInput& input)
    : configuration_(configuration_of(*input.network, input.scheme.model())),
      schemes_(input.layers()),
      layout_(configuration_, schemes_),
      parameters_(layout_) {
  network::set_scheme_weights<S>(layer_weights_of(input, configuration_.layers), parameters_);
  set_network_arrays(*input.network, parameters_);
}

template <class S>
network::StackLayer<S> GivenStack<S>::layer(Index l, bool with_positions) const {
  network::StackLayer<S> layer{with_positions ? schemes_.layer(l) : nullptr,
                               parameters_.of(layout_.layers[static_cast<std::size_t>(l)])};
  if (!with_positions) layer.arrays.scheme.clear();
  return layer;
}

template <class S>
std::vector<S> GivenStack<S>::embedded(Index token) const {
  const base::View<const S> embedding = parameters_[layout_.token_embedding];
  std::vector<S> row(&embedding(token, 0), &embedding(token, 0) + embedding.shape[1]);
  for (S& number : row) number *= static_cast<S>(layout_.embedding_scale);
  return row;
}

template <class S>
base::Array<S> GivenStack<S>::draw_tokens(const base::Stream& draws, Index tokens) const {
  base::Array<S> stream{tokens, configuration_.model_width};
  for (Index n = 0; n < tokens; ++n) {
    const auto token = static_cast<Index>(
        draws.below(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(configuration_.vocabulary)));
    const std::vector<S> row = embedded(token);
    std::copy(row.begin(), row.end(), &stream(n, 0));
  }
  return stream;
}

template <class S>
base::Array<S> GivenStack<S>::logits(const network::Batch& sequence) const {
  const Index T = sequence.tokens.shape[1], V = configuration_.vocabulary;
  network::Network<S> network(configuration_, schemes_, layout_, {1, T, false});
  const base::View<const S> found = network.logits(parameters_, sequence);
  base::Array<S> copy{T, V};
  std::copy(found.begin(), found.end(), copy.flat().begin());
  return copy;
}

template <class S>
Projected<S> GivenStack<S>::project(base::View<const S> stream) const {
  const network::LayerOf<base::View<const S>> arrays = layer(0).arrays;
  const Index N = stream.shape[0], D = stream.shape[1], H = configuration_.heads;
  base::Array<S> normed{N, D}, mean{N}, scale{N};
  network::normalise<S>({configuration_.norm}, stream, arrays.norm1.weight, arrays.norm1.bias, normed, mean, scale);
  const auto heads = [&](const network::Affine<base::View<const S>>& projection) {
    base::Array<S> projected{N, D};
    network::linear<S>(normed, projection.weight, projection.bias, projected);
    return attention::split_heads<S>(projected, H);
  };
  base::Array<S> query = heads(arrays.query), key = heads(arrays.key);
  return {std::move(query), std::move(key), std::move(normed)};
}

std::optional<base::Refusal> why_not_looked_into(const Setting& of, const data::Values& axes, Index depth) {
  const data::GivenNetwork& given = *of.network;
  if (auto refusal = why_another_network(given, axes)) return refusal;
  const network::Configuration configuration = configuration_of(given, of.scheme.model());
  if (configuration.vector_width > 0 || configuration.vocabulary < 1)
    return "it is fed with vectors, and what is asked here are tokens";
  if (depth > configuration.layers)
    return fmt::format("it has {} {}, and {} are asked for", configuration.layers,
                       configuration.layers == 1 ? "layer" : "layers", depth);
  return why_not_arrays(network::Layout(configuration, of.layers()), given);
}

std::optional<base::Refusal> why_not_looked_into(const Setting& of, const data::Values& axes, Index depth,
                                                 bool causal) {
  if (auto refusal = why_not_looked_into(of, axes, depth)) return refusal;
  if (axes_of(*of.network).is_decoder() == causal) return std::nullopt;
  return causal ? "it was trained without a mask, and here there is a causal one"
                : "it was trained under a causal mask, and here there is none";
}

#define POSLAB_FOR(S)                                                                      \
  template void set_network_arrays<S>(const data::GivenNetwork&, network::Parameters<S>&); \
  template void take_moments<S>(const data::GivenNetwork&, training::Trainer<S>&);         \
  template class GivenStack<S>;
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments
