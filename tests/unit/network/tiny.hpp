// SPDX-License-Identifier: Apache-2.0
// A small network of a scheme, with parameters large enough that nothing hides, and a batch for it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "poslab/base/random.hpp"
#include "poslab/host/library.hpp"
#include "poslab/network/network.hpp"

namespace tiny {

using poslab::base::Array;
using poslab::base::Index;
using poslab::base::View;
namespace network = poslab::network;
namespace host = poslab::host;
namespace data = poslab::data;

inline network::Configuration configuration() {
  network::Configuration c;
  c.vocabulary = 7;
  c.model_width = 24;
  c.heads = 2;
  c.layers = 2;
  c.feed_forward = 20;
  c.train_length = 9;
  c.init_std = 0.3;
  return c;
}

/// Null for "".
inline std::unique_ptr<host::Scheme> scheme(const std::string& id, const network::Configuration& c,
                                            const data::Values& parameters = {}) {
  if (id.empty()) return nullptr;
  return std::make_unique<host::Scheme>(host::Plugin::open(POSLAB_PLUGIN_DIR "/" + id + ".so"), parameters,
                                        host::Model{c.model_width, c.heads, c.train_length});
}

/// Positions [T, A]: 0, 1, ... or the cells of a grid four wide.
inline Array<double> positions(const host::Scheme* scheme, Index T) {
  const Index A = scheme ? scheme->least_axes() : 1;
  Array<double> out{T, A};
  for (Index t = 0; t < T; ++t) {
    out(t, A - 1) = static_cast<double>(A == 1 ? t : t % 4);
    if (A > 1) out(t, A - 2) = static_cast<double>(t / 4);
    if (A > 2) out(t, 0) = static_cast<double>(t / 5);
  }
  return out;
}

/// Random tokens, targets and loss mask.
struct Batch {
  Batch(Index B, Index T, Index V, const host::Scheme* scheme = nullptr) : indices(positions(scheme, T)), B_(B), T_(T) {
    const poslab::base::Stream stream("tiny batch");
    for (Index i = 0; i < B * T; ++i) {
      const auto number = static_cast<std::uint64_t>(3 * i);
      tokens.push_back(static_cast<std::int32_t>(stream.below(number, static_cast<std::uint64_t>(V))));
      targets.push_back(static_cast<std::int32_t>(stream.below(number + 1, static_cast<std::uint64_t>(V))));
      loss_mask.push_back(stream.below(number + 2, 4) > 0);
    }
  }
  network::Batch view() const {
    return {{tokens.data(), {B_, T_}}, {targets.data(), {B_, T_}}, {loss_mask.data(), {B_, T_}}, indices};
  }

  std::vector<std::int32_t> tokens, targets;
  std::vector<std::uint8_t> loss_mask;
  Array<double> indices;

 private:
  Index B_, T_;
};

/// Parameters all of which matter: norms and biases are drawn, too; a scheme's weights are as it declares, and where
/// these are constant, moved a little.
template <class S>
network::Parameters<S> parameters(const network::Layout& layout, const host::LayerSchemes& schemes) {
  network::Parameters<S> out = network::draw_parameters<S>(layout, schemes, data::Draws(5, "tiny", "", 0));
  for (network::ParameterIndex index = 0; index < static_cast<network::ParameterIndex>(layout.parameters().size());
       ++index) {
    const poslab::base::Stream stream("tiny " + layout.at(index).name);
    std::uint64_t i = 0;
    for (S& number : out[index].flat()) number += static_cast<S>(0.1 * stream.normal(i++));
  }
  return out;
}

}  // namespace tiny
