// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/heads.hpp"

#include <algorithm>

namespace poslab::attention {

using base::Array;
using base::Index;
using base::View;

template <class S>
Array<S> split_heads(View<const S> rows, Index H) {
  const Index N = rows.shape[0], K = rows.shape[1] / H;
  Array<S> heads{H, N, K};
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n) std::copy_n(&rows(n, h * K), K, &heads(h, n, 0));
  return heads;
}

template <class S>
Array<S> join_heads(View<const S> heads) {
  const Index H = heads.shape[0], N = heads.shape[1], K = heads.shape[2];
  Array<S> rows{N, H * K};
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n) std::copy_n(&heads(h, n, 0), K, &rows(n, h * K));
  return rows;
}

template <class S>
void add_to_heads(View<const S> rows, View<S> heads) {
  const Index H = heads.shape[0], N = heads.shape[1], K = heads.shape[2];
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index k = 0; k < K; ++k) heads(h, n, k) += rows(n, h * K + k);
}

#define POSLAB_FOR(S)                                     \
  template Array<S> split_heads<S>(View<const S>, Index); \
  template Array<S> join_heads<S>(View<const S>);         \
  template void add_to_heads<S>(View<const S>, View<S>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
