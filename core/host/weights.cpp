// SPDX-License-Identifier: Apache-2.0
// The learnable arrays of a scheme: owned here, drawn as declared.
#include <fmt/format.h>

#include "poslab/base/error.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::host {
namespace {

// Number i of the stream is entry i, so that a draw depends on nothing but the array's own key.
void draw(const WeightInfo& info, const base::Stream& stream, View<double> out) {
  const auto number = [](Index i) { return static_cast<std::uint64_t>(i); };
  for (Index i = 0; i < out.size(); ++i) {
    switch (info.initialisation) {
      case POSLAB_NORMAL: out.data[i] = info.first + info.second * stream.normal(number(i)); break;
      case POSLAB_UNIFORM: out.data[i] = info.first + (info.second - info.first) * stream.uniform(number(i)); break;
      default: out.data[i] = info.first;
    }
  }
}

std::span<const Index> shape_of(const WeightInfo& info) {
  return {info.shape.data(), static_cast<std::size_t>(info.rank)};
}

template <class Arrays>
auto& layer_copy(Arrays& copies, Index layer) {
  const std::size_t at = copies.size() == 1 ? 0 : static_cast<std::size_t>(layer);
  if (layer < 0 || at >= copies.size())
    throw base::Error(fmt::format("weights of layer {} of {}", layer, copies.size()));
  return copies[at];
}

}  // namespace

template <class S>
Weights<S>::Weights(const std::vector<WeightInfo>& infos, Index layers) {
  for (const WeightInfo& info : infos) {
    arrays_.emplace_back();
    for (Index layer = 0; layer < (info.per_layer ? layers : 1); ++layer)
      arrays_.back().emplace_back(info.rank, info.shape);
  }
}

template <class S>
std::vector<View<const S>> Weights<S>::layer(Index layer) const {
  std::vector<View<const S>> views;
  for (const auto& copies : arrays_) views.push_back(layer_copy(copies, layer).view());
  return views;
}

template <class S>
std::vector<View<S>> Weights<S>::layer(Index layer) {
  std::vector<View<S>> views;
  for (auto& copies : arrays_) views.push_back(layer_copy(copies, layer).view());
  return views;
}

Weights<double> Scheme::draw_weights(const data::Draws& draws, Index layers) const {
  Weights<double> weights(weights_, layers);
  for (std::size_t w = 0; w < weights_.size(); ++w)
    for (std::size_t layer = 0; layer < weights.arrays()[w].size(); ++layer)
      draw(weights_[w], draws.weights(weights_[w].name, shape_of(weights_[w]), static_cast<int>(layer)),
           weights.arrays()[w][layer]);
  return weights;
}

template class Weights<float>;
template class Weights<double>;

}  // namespace poslab::host
