// SPDX-License-Identifier: Apache-2.0
#include "sequence.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/experiment/precision.hpp"

namespace poslab::experiments::distance_profile {

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

#define POSLAB_FOR(S) template Sequence<S> draw<S>(const data::Draws&, Contents, Index, Index, Index, Index);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::distance_profile
