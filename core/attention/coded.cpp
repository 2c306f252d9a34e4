// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/coded.hpp"

#include <cmath>

#include "poslab/attention/codes.hpp"
#include "poslab/attention/heads.hpp"

namespace poslab::attention {

template <class S>
Coded<S> coded(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
               std::span<const View<const S>> weights, View<const S> query, View<const S> key) {
  const Index N = query.shape[1], K = query.shape[2];
  Array<S> coded_query = rows_of_heads(query, 0, N), coded_key = rows_of_heads(key, 0, N);
  if (scheme.has(host::Operation::encode)) {
    const Array<S> table = codes<S>(scheme, context, positions, weights);
    add_to_heads<S>(table, coded_query);
    add_to_heads<S>(table, coded_key);
  }
  Array<S> layer_input = join_heads<S>(coded_query);
  const double missing = 1 / std::sqrt(static_cast<double>(K)) / scheme.logit_scale();
  for (S& entry : coded_query.flat()) entry = static_cast<S>(missing * static_cast<double>(entry));
  Transformed<S> transformed = transform<S>(scheme, context, positions, {coded_query, coded_key, layer_input}, weights);
  return {std::move(transformed), std::move(layer_input)};
}

#define POSLAB_FOR(S)                                                                    \
  template Coded<S> coded<S>(const host::Scheme&, const host::Context&, host::Positions, \
                             std::span<const View<const S>>, View<const S>, View<const S>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
