// SPDX-License-Identifier: Apache-2.0
// The parameters of a network: named arrays, one after the other in one block of memory, so that the optimiser and a
// checkpoint see one array. Gradients and moments have the same layout.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poslab/data/draws.hpp"
#include "poslab/host/layer_schemes.hpp"
#include "poslab/network/configuration.hpp"
#include "poslab/network/layer.hpp"

namespace poslab::network {

struct ParameterInfo {
  std::string name;  ///< layer0.query.weight, scheme.table, layer1.scheme.keys
  int rank = 1;
  std::array<Index, base::max_rank> shape{1, 1, 1, 1};
  Index offset = 0;  ///< of its first number, a multiple of 64 bytes
  double init_mean = 0, init_std = 0;
  bool decays = false;  ///< weight decay pulls it towards 0
  bool frozen = false;  ///< training leaves it as it was drawn
  bool of_scheme = false;
  Index size() const { return shape[0] * shape[1] * shape[2] * shape[3]; }
};

/// Which array of the layout; -1: the network has none.
using ParameterIndex = int;
using LayerIndices = LayerOf<ParameterIndex>;

class Layout {
 public:
  /// `schemes`: those of its layers. An array that layers share is called `scheme.<name>`; where they have different
  /// schemes, after the first layer that has it, `layer2.scheme.<name>`.
  Layout(const Configuration& configuration, const host::LayerSchemes& schemes);

  const std::vector<ParameterInfo>& parameters() const { return parameters_; }
  const ParameterInfo& at(ParameterIndex index) const { return parameters_[static_cast<std::size_t>(index)]; }
  const ParameterInfo* find(const std::string& name) const;
  Index size() const { return size_; }  ///< numbers of the block, gaps for alignment included
  Index learned() const;                ///< numbers that training changes

  double embedding_scale = 1;            ///< factor on what the embedding gives
  ParameterIndex token_embedding = -1;   ///< [V, D]
  ParameterIndex vector_embedding = -1;  ///< [D, W], in its place where vectors come instead of tokens
  ParameterIndex unembedding = -1;       ///< [V, D]; the token embedding if tied
  Affine<ParameterIndex> norm;
  std::vector<LayerIndices> layers;

 private:
  ParameterIndex add(const std::string& name, std::initializer_list<Index> shape, double init_mean, double init_std);
  Affine<ParameterIndex> add_linear(const std::string& name, Index in, Index out, double init_std, bool bias);
  Affine<ParameterIndex> add_norm(const std::string& name, const Configuration& configuration);
  void add_scheme(const host::LayerSchemes::Part& part, bool is_alone);

  std::vector<ParameterInfo> parameters_;
  Index size_ = 0;
};

/// Numbers in a layout.
template <class S>
class Parameters {
 public:
  explicit Parameters(const Layout& layout) : layout_(&layout), numbers_{layout.size()} {}
  /// Empty for index -1.
  View<S> operator[](ParameterIndex index) { return view<S>(index, numbers_.data()); }
  View<const S> operator[](ParameterIndex index) const { return view<const S>(index, numbers_.data()); }
  /// The arrays of a layer.
  LayerOf<View<S>> of(const LayerIndices& layer) {
    return layer.each([&](ParameterIndex index) { return (*this)[index]; });
  }
  LayerOf<View<const S>> of(const LayerIndices& layer) const {
    return layer.each([&](ParameterIndex index) { return (*this)[index]; });
  }
  std::span<S> flat() { return numbers_.flat(); }
  std::span<const S> flat() const { return numbers_.flat(); }
  const Layout& layout() const { return *layout_; }

 private:
  template <class N>
  View<N> view(ParameterIndex index, N* numbers) const {
    if (index < 0) return {};
    const ParameterInfo& info = layout_->at(index);
    return {numbers + info.offset, info.rank, info.shape};
  }
  const Layout* layout_;
  Array<S> numbers_;
};

/// `weights` of as many layers as the network has become the schemes' numbers in `parameters`.
template <class S>
void set_scheme_weights(const host::LayerWeights<double>& weights, Parameters<S>& parameters);

/// Fresh parameters: the network's own are keyed without the scheme, so that schemes begin alike and are compared in
/// pairs; a scheme's are drawn as it declares.
template <class S>
Parameters<S> draw_parameters(const Layout& layout, const host::LayerSchemes& schemes, const data::Draws& draws);

}  // namespace poslab::network
