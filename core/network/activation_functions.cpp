// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "poslab/network/layers.hpp"
#include "poslab/numerics/eigen.hpp"

namespace poslab::network {
namespace {

template <class S>
using Numbers = Eigen::Map<Eigen::Array<S, Eigen::Dynamic, 1>>;
template <class S>
using ConstNumbers = Eigen::Map<const Eigen::Array<S, Eigen::Dynamic, 1>>;

constexpr double cubic = 0.044715;
const double root = std::sqrt(2 / std::numbers::pi);

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double normal_density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }

}  // namespace

template <class S>
void activate(Activation kind, View<const S> x, View<S> y) {
  const ConstNumbers<S> in(x.data, x.size());
  Numbers<S> out(y.data, y.size());
  if (kind == Activation::relu) {
    out = in.max(S(0));
    return;
  }
  if (kind == Activation::gelu_tanh) {
    out = S(0.5) * in * (1 + (static_cast<S>(root) * in * (1 + static_cast<S>(cubic) * in * in)).tanh());
    return;
  }
  for (Index i = 0; i < x.size(); ++i)
    y.data[i] = static_cast<S>(x.data[i] * normal_distribution(static_cast<double>(x.data[i])));
}

// gelu_tanh: with t = tanh(u), d = (1 + t) / 2 + x / 2 (1 - t^2) u'; gelu_exact: Phi(x) + x phi(x).
template <class S>
void activation_gradient(Activation kind, View<const S> x, View<S> dy) {
  const Index count = x.size();
  if (kind == Activation::relu) {
    for (Index i = 0; i < count; ++i)
      if (!(x.data[i] > 0)) dy.data[i] = 0;
    return;
  }
  if (kind == Activation::gelu_exact) {
    for (Index i = 0; i < count; ++i) {
      const auto at = static_cast<double>(x.data[i]);
      dy.data[i] *= static_cast<S>(normal_distribution(at) + at * normal_density(at));
    }
    return;
  }
  constexpr Index piece = 256;  // of numbers: t stays in the cache of the first level
  Eigen::Array<S, Eigen::Dynamic, 1, 0, piece, 1> t;
  for (Index first = 0; first < count; first += piece) {
    const Index size = std::min(piece, count - first);
    const ConstNumbers<S> in(x.data + first, size);
    Numbers<S> gradient(dy.data + first, size);
    const auto r = static_cast<S>(root), c = static_cast<S>(cubic);
    t = (r * in * (1 + c * in * in)).tanh();
    gradient *= S(0.5) * (1 + t) + S(0.5) * in * (1 - t * t) * r * (1 + 3 * c * in * in);
  }
}

#define POSLAB_FOR(S)                                            \
  template void activate<S>(Activation, View<const S>, View<S>); \
  template void activation_gradient<S>(Activation, View<const S>, View<S>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::network
