// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/heads.hpp"

#include <algorithm>

namespace poslab::attention {

using base::Array;
using base::Index;
using base::View;

template <class S>
void to_heads(View<const S> rows, Index first, View<S> heads) {
  const Index H = heads.shape[1], N = heads.shape[2], K = heads.shape[3];
  for (Index m = 0; m < rows.shape[0]; ++m) {
    const Index b = (first + m) / N, n = (first + m) % N;
    for (Index h = 0; h < H; ++h) std::copy_n(&rows(m, h * K), K, heads.data + ((b * H + h) * N + n) * K);
  }
}

template <class S>
void from_heads(View<const S> heads, Index first, View<S> rows) {
  const Index H = heads.shape[1], N = heads.shape[2], K = heads.shape[3];
  for (Index m = 0; m < rows.shape[0]; ++m) {
    const Index b = (first + m) / N, n = (first + m) % N;
    const S* const token = heads.data + (b * H * N + n) * K;
    for (Index h = 0; h < H; ++h) std::copy_n(token + h * N * K, K, &rows(m, h * K));
  }
}

template <class S>
Array<S> split_heads(View<const S> rows, Index H) {
  Array<S> heads{H, rows.shape[0], rows.shape[1] / H};
  to_heads<S>(rows, 0, batch_of_one(heads.view()));
  return heads;
}

template <class S>
Array<S> join_heads(View<const S> heads) {
  Array<S> rows{heads.shape[1], heads.shape[0] * heads.shape[2]};
  from_heads<S>(batch_of_one(heads), 0, rows);
  return rows;
}

template <class S>
void add_to_heads(View<const S> rows, View<S> heads) {
  const Index H = heads.shape[0], N = heads.shape[1], K = heads.shape[2];
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index k = 0; k < K; ++k) heads(h, n, k) += rows(n, h * K + k);
}

#define POSLAB_FOR(S)                                         \
  template void to_heads<S>(View<const S>, Index, View<S>);   \
  template void from_heads<S>(View<const S>, Index, View<S>); \
  template Array<S> split_heads<S>(View<const S>, Index);     \
  template Array<S> join_heads<S>(View<const S>);             \
  template void add_to_heads<S>(View<const S>, View<S>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
