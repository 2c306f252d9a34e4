// SPDX-License-Identifier: Apache-2.0
#include "rollout.hpp"

namespace poslab::experiments::first_position_bias {

Rollout::Rollout(Index heads, Index length)
    : heads_(heads),
      context_(static_cast<std::size_t>(length), 0.0),
      next_context_(context_),
      next_residual_context_(context_),
      first_column_{heads, length} {
  context_[0] = 1;
  residual_context_ = context_;
}

// F <- A F and G <- (A G + G) / 2, A averaged over heads.
template <class S>
void Rollout::look(Index first_query, View<const S> attention) {
  const Index H = attention.shape[0], Nq = attention.shape[1], Nk = attention.shape[2];
  for (Index i = 0; i < Nq; ++i) {
    const Index row = first_query + i;
    double reached = 0, residual = 0;
    for (Index h = 0; h < H; ++h) {
      first_column_(h, row) = static_cast<double>(attention(h, i, 0));
      for (Index j = 0; j < Nk; ++j) {
        const auto share = static_cast<double>(attention(h, i, j));
        reached += share * context_[static_cast<std::size_t>(j)];
        residual += share * residual_context_[static_cast<std::size_t>(j)];
      }
    }
    const auto here = static_cast<std::size_t>(row);
    next_context_[here] = reached / static_cast<double>(H);
    next_residual_context_[here] = (residual / static_cast<double>(H) + residual_context_[here]) / 2;
  }
}

void Rollout::end_layer() {
  context_.swap(next_context_);
  residual_context_.swap(next_residual_context_);
  const Index N = first_column_.extent(1);
  for (Index h = 0; h < heads_; ++h) {
    double sink = 0;
    for (Index i = 0; i < N; ++i) sink += first_column_(h, i);
    sinks_ += sink / static_cast<double>(N);
  }
  ++layers_;
}

template void Rollout::look<float>(Index, View<const float>);
template void Rollout::look<double>(Index, View<const double>);

}  // namespace poslab::experiments::first_position_bias
