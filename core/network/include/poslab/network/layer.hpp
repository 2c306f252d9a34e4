// SPDX-License-Identifier: Apache-2.0
// What one layer of a stack is made of.
// Dimension letters: D model width, F feed-forward width, O and I widths out and in.
#pragma once

#include <vector>

#include "poslab/host/scheme.hpp"
#include "poslab/network/configuration.hpp"

namespace poslab::network {

/// The two arrays of a linear layer, [O, I] and [O], or of a norm, [D] and [D]: a T for each.
template <class T>
struct Affine {
  T weight{}, bias{};
};

/// A T for each array of a layer: where it is in a block, its numbers, or its gradient.
template <class T>
struct LayerOf {
  Affine<T> norm1;
  Affine<T> query, key, value, output;  ///< [D, D]
  Affine<T> norm2;
  Affine<T> up, down;     ///< [F, D], [D, F]
  std::vector<T> scheme;  ///< in declared order; shared ones are the same for each layer

  /// f(T) for each.
  template <class F>
  auto each(const F& f) const {
    using R = decltype(f(norm1.weight));
    const auto both = [&](const Affine<T>& of) { return Affine<R>{f(of.weight), f(of.bias)}; };
    LayerOf<R> out{both(norm1), both(query), both(key),  both(value), both(output),
                   both(norm2), both(up),    both(down), {}};
    for (const T& array : scheme) out.scheme.push_back(f(array));
    return out;
  }
};

/// A layer that a stack runs. An empty array is left out: a norm without a factor, a linear layer without a bias; where
/// `output` has no weight, the heads' outputs side by side are the attention's.
template <class S>
struct StackLayer {
  const host::Scheme* scheme = nullptr;  ///< null: no positions
  LayerOf<View<const S>> arrays;
  double query_factor = 1;  ///< of its queries
};

}  // namespace poslab::network
