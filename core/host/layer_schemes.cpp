// SPDX-License-Identifier: Apache-2.0
#include "poslab/host/layer_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/error.hpp"
#include "poslab/data/draws.hpp"

namespace poslab::host {

std::vector<LayerSchemes::Part> LayerSchemes::parts(Index layers) const {
  std::vector<Part> parts;
  for (Index l = 0; l < layers; ++l) {
    const Scheme* scheme = layer(l);
    if (!scheme) continue;
    auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& known) { return known.scheme == scheme; });
    if (part == parts.end()) part = parts.insert(part, {scheme, {}});
    part->layers.push_back(l);
  }
  return parts;
}

std::vector<const Scheme*> LayerSchemes::different() const {
  std::vector<const Scheme*> schemes;
  for (const Part& part : parts(std::ssize(list_))) schemes.push_back(part.scheme);
  return schemes;
}

template <class S>
LayerWeights<S>::LayerWeights(const LayerSchemes& schemes, Index layers)
    : part_index_(static_cast<std::size_t>(layers), -1) {
  for (LayerSchemes::Part& part : schemes.parts(layers)) {
    for (const Index l : part.layers) part_index_[static_cast<std::size_t>(l)] = static_cast<int>(parts_.size());
    Weights<S> weights(part.scheme->weights(), layers);
    parts_.push_back({std::move(part), std::move(weights)});
  }
}

namespace {

template <class Parts>
auto* part_of(Parts& parts, const std::vector<int>& part_index, Index layer) {
  if (layer < 0 || layer >= std::ssize(part_index))
    throw base::Error(fmt::format("weights of layer {} of {}", layer, part_index.size()));
  const int part = part_index[static_cast<std::size_t>(layer)];
  return part < 0 ? nullptr : &parts[static_cast<std::size_t>(part)].weights;
}

}  // namespace

template <class S>
std::vector<View<const S>> LayerWeights<S>::layer(Index layer) const {
  const Weights<S>* weights = part_of(parts_, part_index_, layer);
  return weights ? weights->layer(layer) : std::vector<View<const S>>();
}

template <class S>
std::vector<View<S>> LayerWeights<S>::layer(Index layer) {
  Weights<S>* weights = part_of(parts_, part_index_, layer);
  return weights ? weights->layer(layer) : std::vector<View<S>>();
}

LayerWeights<double> draw_weights(const LayerSchemes& schemes, const data::Draws& draws, Index layers) {
  LayerWeights<double> weights(schemes, layers);
  for (auto& [part, of_scheme] : weights.parts())
    of_scheme = part.scheme->draw_weights(draws.of_scheme(part.scheme->info().id), layers);
  return weights;
}

template class LayerWeights<float>;
template class LayerWeights<double>;

}  // namespace poslab::host
