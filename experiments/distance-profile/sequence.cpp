// SPDX-License-Identifier: Apache-2.0
#include "sequence.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/experiments/precision.hpp"

namespace poslab::experiments::distance_profile {

const char* to_text(Contents contents) {
  switch (contents) {
    case Contents::random: return "random";
    case Contents::equal: return "equal";
    case Contents::ones: return "ones";
  }
  return "";
}

template <class S>
Sequence<S> draw(const data::Draws& draws, Contents contents, Index number, Index H, Index N, Index K) {
  Sequence<S> sequence{Array<S>{H, N, K}, Array<S>{H, N, K}};
  if (contents == Contents::ones) {
    sequence.query.fill(1);
    sequence.key.fill(1);
  } else if (contents == Contents::random) {
    sequence.query = as<S>(draws.normal(fmt::format("query of content {}", number), {H, N, K}));
    sequence.key = as<S>(draws.normal(fmt::format("key of content {}", number), {H, N, K}));
  } else {
    const Array<S> one = as<S>(draws.normal(fmt::format("equal content {}", number), {H, K}));
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n) std::copy_n(&one(h, 0), K, &sequence.query(h, n, 0));
    sequence.key = sequence.query.copy();
  }
  return sequence;
}

template <class S>
void add_codes(View<const S> codes, View<S> x) {
  const Index H = x.shape[0], N = x.shape[1], K = x.shape[2];
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index k = 0; k < K; ++k) x(h, n, k) += codes(n, h * K + k);
}

template <class S>
Array<S> side_by_side(View<const S> x) {
  const Index H = x.shape[0], N = x.shape[1], K = x.shape[2];
  Array<S> rows{N, H * K};
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n) std::copy_n(&x(h, n, 0), K, &rows(n, h * K));
  return rows;
}

#define POSLAB_FOR(S)                                                                     \
  template Sequence<S> draw<S>(const data::Draws&, Contents, Index, Index, Index, Index); \
  template void add_codes<S>(View<const S>, View<S>);                                     \
  template Array<S> side_by_side<S>(View<const S>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::distance_profile
