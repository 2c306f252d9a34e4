// SPDX-License-Identifier: Apache-2.0
#include "poslab/network/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/base/find_by.hpp"

namespace poslab::network {
namespace {

constexpr Index alignment = 16;  // numbers: 64 bytes of float, 128 of double

std::string layer_name(Index layer) { return "layer" + std::to_string(layer) + "."; }

// Where layers have different schemes, the first that names a factor decides.
double embedding_scale_of(const Configuration& configuration, const host::LayerSchemes& schemes) {
  switch (configuration.embedding_scale) {
    case EmbeddingScale::one: return 1;
    case EmbeddingScale::sqrt_width: return std::sqrt(static_cast<double>(configuration.model_width));
    case EmbeddingScale::scheme: break;
  }
  for (const host::Scheme* scheme : schemes.list())
    if (scheme && scheme->embedding_scale() != 1) return scheme->embedding_scale();
  return 1;
}

}  // namespace

Layout::Layout(const Configuration& configuration, const host::LayerSchemes& schemes) {
  const Index D = configuration.model_width, F = configuration.feed_forward, V = configuration.vocabulary,
              L = configuration.layers;
  const double std = configuration.init_std, residual_std = std / std::sqrt(2.0 * static_cast<double>(L));
  const bool biases = configuration.biases;
  const bool tokens = configuration.vector_width == 0;
  embedding_scale = embedding_scale_of(configuration, schemes);
  const double embedding_std = embedding_scale == 1 ? std : 1 / embedding_scale;
  if (tokens)
    token_embedding = add("token_embedding", {V, D}, 0, embedding_std);
  else
    vector_embedding = add("vector_embedding", {D, configuration.vector_width}, 0, embedding_std);
  layers.resize(static_cast<std::size_t>(L));
  for (Index l = 0; l < L; ++l) {
    LayerIndices& layer = layers[static_cast<std::size_t>(l)];
    const std::string name = layer_name(l);
    layer.norm1 = add_norm(name + "norm1", configuration);
    const host::Scheme* scheme = schemes.layer(l);
    layer.query = add_linear(name + "query", D, D, std * (scheme ? scheme->initial_query_scale() : 1), biases);
    layer.key = add_linear(name + "key", D, D, std, biases);
    layer.value = add_linear(name + "value", D, D, std, biases);
    layer.output = add_linear(name + "output", D, D, residual_std, biases);
    layer.norm2 = add_norm(name + "norm2", configuration);
    layer.up = add_linear(name + "up", D, F, std, biases);
    layer.down = add_linear(name + "down", F, D, residual_std, biases);
  }
  norm = add_norm("norm", configuration);
  unembedding = configuration.tied && tokens ? token_embedding : add("unembedding", {V, D}, 0, std);
  const std::vector<host::LayerSchemes::Part> parts = schemes.parts(L);
  for (const host::LayerSchemes::Part& part : parts) add_scheme(part, schemes.list().size() == 1);
}

const ParameterInfo* Layout::find(const std::string& name) const {
  return base::find_by(parameters_, &ParameterInfo::name, name);
}

Index Layout::learned() const {
  Index numbers = 0;
  for (const ParameterInfo& info : parameters_) numbers += info.frozen ? 0 : info.size();
  return numbers;
}

ParameterIndex Layout::add(const std::string& name, std::initializer_list<Index> shape, double init_mean,
                           double init_std) {
  ParameterInfo info{
      .name = name, .rank = static_cast<int>(shape.size()), .init_mean = init_mean, .init_std = init_std};
  std::copy(shape.begin(), shape.end(), info.shape.begin());
  info.offset = size_;
  size_ += (info.size() + alignment - 1) / alignment * alignment;
  parameters_.push_back(std::move(info));
  return static_cast<ParameterIndex>(parameters_.size()) - 1;
}

Affine<ParameterIndex> Layout::add_linear(const std::string& name, Index in, Index out, double init_std, bool bias) {
  Affine<ParameterIndex> indices{-1, -1};
  indices.weight = add(name + ".weight", {out, in}, 0, init_std);
  parameters_.back().decays = true;
  if (bias) indices.bias = add(name + ".bias", {out}, 0, 0);
  return indices;
}

Affine<ParameterIndex> Layout::add_norm(const std::string& name, const Configuration& configuration) {
  Affine<ParameterIndex> indices{-1, -1};
  indices.weight = add(name + ".weight", {configuration.model_width}, 1, 0);
  if (configuration.biases && configuration.norm == Norm::layer)
    indices.bias = add(name + ".bias", {configuration.model_width}, 0, 0);
  return indices;
}

void Layout::add_scheme(const host::LayerSchemes::Part& part, bool is_alone) {
  const auto add_weight = [&](const std::string& prefix, const host::WeightInfo& weight) {
    const ParameterIndex index = add(prefix + "scheme." + weight.name, {1}, 0, 0);
    ParameterInfo& info = parameters_.back();
    info.rank = weight.rank;
    info.shape = weight.shape;
    info.frozen = weight.frozen;
    info.of_scheme = true;
    size_ = info.offset + (info.size() + alignment - 1) / alignment * alignment;
    return index;
  };
  for (const host::WeightInfo& weight : part.scheme->weights()) {
    const std::string shared_by = is_alone ? "" : layer_name(part.layers.front());
    ParameterIndex index = weight.per_layer ? -1 : add_weight(shared_by, weight);
    for (const Index l : part.layers) {
      if (weight.per_layer) index = add_weight(layer_name(l), weight);
      layers[static_cast<std::size_t>(l)].scheme.push_back(index);
    }
  }
}

template <class S>
void set_scheme_weights(const host::LayerWeights<double>& weights, Parameters<S>& parameters) {
  for (std::size_t l = 0; l < parameters.layout().layers.size(); ++l) {
    const std::vector<View<const double>> from = weights.layer(static_cast<Index>(l));
    const std::vector<ParameterIndex>& indices = parameters.layout().layers[l].scheme;
    for (std::size_t w = 0; w < indices.size(); ++w)
      std::transform(from[w].begin(), from[w].end(), parameters[indices[w]].begin(),
                     [](double number) { return static_cast<S>(number); });
  }
}

template <class S>
Parameters<S> draw_parameters(const Layout& layout, const host::LayerSchemes& schemes, const data::Draws& draws) {
  Parameters<S> parameters(layout);
  for (ParameterIndex index = 0; index < static_cast<ParameterIndex>(layout.parameters().size()); ++index) {
    const ParameterInfo& info = layout.at(index);
    if (info.of_scheme) continue;
    const base::Stream stream = draws.contents("network." + info.name, {info.shape[0], info.shape[1]});
    std::uint64_t i = 0;
    for (S& number : parameters[index].flat())
      number = static_cast<S>(info.init_mean + (info.init_std > 0 ? info.init_std * stream.normal(i++) : 0));
  }
  set_scheme_weights<S>(host::draw_weights(schemes, draws, std::ssize(layout.layers)), parameters);
  return parameters;
}

#define POSLAB_FOR(S)                                                                     \
  template void set_scheme_weights<S>(const host::LayerWeights<double>&, Parameters<S>&); \
  template Parameters<S> draw_parameters<S>(const Layout&, const host::LayerSchemes&, const data::Draws&);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::network
