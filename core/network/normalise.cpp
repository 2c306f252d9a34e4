// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "poslab/network/layers.hpp"
#include "poslab/numerics/eigen.hpp"

namespace poslab::network {
namespace {

template <class S>
using Row = Eigen::Map<Eigen::Array<S, Eigen::Dynamic, 1>>;
template <class S>
using ConstRow = Eigen::Map<const Eigen::Array<S, Eigen::Dynamic, 1>>;

}  // namespace

template <class S>
void normalise(const Normalisation& how, View<const S> x, View<const S> weight, View<const S> bias, View<S> y,
               View<S> mean, View<S> scale) {
  const Index M = x.shape[0], D = x.shape[1];
  for (Index m = 0; m < M; ++m) {
    const ConstRow<S> row(&x(m, 0), D);
    Row<S> out(&y(m, 0), D);
    mean(m) = how.norm == Norm::layer ? row.mean() : S(0);
    const S square = (row - mean(m)).square().mean() + static_cast<S>(how.epsilon);
    scale(m) = square > 0 ? 1 / std::sqrt(square) : S(0);
    if (weight.data)
      out = (row - mean(m)) * scale(m) * ConstRow<S>(weight.data, D);
    else
      out = (row - mean(m)) * scale(m);
    if (bias.data) out += ConstRow<S>(bias.data, D);
  }
}

// With n = (x - mean) scale and g = dy weight: dx = scale (g - mean(g) - n mean(g n)), without mean(g) in RMS norm.
template <class S>
void normalise_gradient(Norm norm, View<const S> x, View<const S> weight, View<const S> mean, View<const S> scale,
                        View<const S> dy, View<S> dx, View<S> dweight, View<S> dbias) {
  const Index M = x.shape[0], D = x.shape[1];
  const ConstRow<S> w(weight.data, weight.data ? D : 0);
  for (Index m = 0; m < M; ++m) {
    const ConstRow<S> row(&x(m, 0), D), gradient(&dy(m, 0), D);
    const auto n = (row - mean(m)) * scale(m);
    const auto add = [&](const auto& g) {
      const S along = (g * n).mean(), level = norm == Norm::layer ? g.mean() : S(0);
      Row<S>(&dx(m, 0), D) += scale(m) * (g - level - n * along);
    };
    if (weight.data)
      add(gradient * w);
    else
      add(gradient);
    if (dweight.data) Row<S>(dweight.data, D) += gradient * n;
    if (dbias.data) Row<S>(dbias.data, D) += gradient;
  }
}

#define POSLAB_FOR(S)                                                                                                  \
  template void normalise<S>(const Normalisation&, View<const S>, View<const S>, View<const S>, View<S>, View<S>,      \
                             View<S>);                                                                                 \
  template void normalise_gradient<S>(Norm, View<const S>, View<const S>, View<const S>, View<const S>, View<const S>, \
                                      View<S>, View<S>, View<S>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::network
