// SPDX-License-Identifier: Apache-2.0
// Schemes from the plugins of this build, with untrained weights, and random contents to feed them.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "poslab/attention/attention.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"

namespace test {

using poslab::base::Array;
using poslab::base::Index;
using poslab::base::View;

/// Every scheme whose family is not contextual.
inline const std::vector<std::string> all_schemes{
    "none", "index", "normalised-index", "sinusoidal", "learned", "rope", "alibi", "t5", "shaw", "transformer-xl"};

inline poslab::data::Draws draws(const std::string& scheme) { return {7, "attention-test", scheme, 0}; }

/// A scheme, its weights for some layers (in S), and views of them.
template <class S>
struct Subject {
  poslab::host::Scheme scheme;
  poslab::host::Weights<S> weights;

  explicit Subject(const std::string& id, const poslab::host::Model& model, const poslab::data::Values& parameters = {},
                   Index layers = 1)
      : scheme(poslab::host::Plugin::open(std::string(POSLAB_PLUGIN_DIR) + "/" + id + ".so"), parameters, model),
        weights(scheme.weights(), layers) {
    const poslab::host::Weights<double> drawn = scheme.draw_weights(draws(id), layers);
    for (std::size_t w = 0; w < drawn.arrays().size(); ++w)
      for (std::size_t l = 0; l < drawn.arrays()[w].size(); ++l)
        for (Index i = 0; i < drawn.arrays()[w][l].size(); ++i)
          weights.arrays()[w][l].data()[i] = static_cast<S>(drawn.arrays()[w][l].data()[i]);
  }
  std::vector<View<const S>> layer(Index layer = 0) const { return weights.layer(layer); }
};

/// Standard normal numbers.
template <class S>
Array<S> normal(const char* name, std::initializer_list<Index> extents) {
  const Array<double> drawn = draws("").normal(name, extents);
  Array<S> out(extents);
  for (Index i = 0; i < out.size(); ++i) out.data()[i] = static_cast<S>(drawn.data()[i]);
  return out;
}

/// Positions 0 .. count - 1: [count, 1].
inline Array<double> positions(Index count) {
  Array<double> out{count, 1};
  for (Index n = 0; n < count; ++n) out(n, 0) = static_cast<double>(n);
  return out;
}

template <class S>
double largest_difference(View<const S> a, View<const S> b) {
  double largest = a.size() == b.size() ? 0 : 1e300;
  for (Index i = 0; i < a.size() && i < b.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a.data[i]) - static_cast<double>(b.data[i]));
    if (std::isnan(difference)) return difference;  // no check passes with it
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace test
