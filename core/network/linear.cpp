// SPDX-License-Identifier: Apache-2.0
#include "poslab/network/layers.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::network {

template <class S>
void linear(View<const S> x, View<const S> weight, View<const S> bias, View<S> y) {
  numerics::multiply_rows<S>(x, weight, S(1), y.data);
  if (!bias.data) return;
  const Index M = y.shape[0], O = y.shape[1];
  for (Index m = 0; m < M; ++m)
    for (Index o = 0; o < O; ++o) y(m, o) += bias(o);
}

template <class S>
void linear_input_gradient(View<const S> dy, View<const S> weight, View<S> dx, bool add) {
  if (add)
    numerics::add_product<S>(dy, weight, S(1), dx.data);
  else
    numerics::multiply<S>(dy, weight, dx.data);
}

template <class S>
void linear_weight_gradient(View<const S> dy, View<const S> x, Index first, Index count, View<S> dweight,
                            View<S> dbias) {
  const Index M = dy.shape[0], O = dy.shape[1];
  numerics::add_products_of_columns<S>({dy.data + first, M, count, O}, x, S(1), &dweight(first, 0));
  if (!dbias.data) return;
  for (Index m = 0; m < M; ++m)
    for (Index o = first; o < first + count; ++o) dbias(o) += dy(m, o);
}

#define POSLAB_FOR(S)                                                                  \
  template void linear<S>(View<const S>, View<const S>, View<const S>, View<S>);       \
  template void linear_input_gradient<S>(View<const S>, View<const S>, View<S>, bool); \
  template void linear_weight_gradient<S>(View<const S>, View<const S>, Index, Index, View<S>, View<S>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::network
