// SPDX-License-Identifier: Apache-2.0
#include "sequence.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "poslab/attention/logits.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using host::Operation;

constexpr Index rows_per_block = 128;

// [N, D] -> [H, N, K]: head h has the columns h K .. (h + 1) K - 1.
template <class S>
Array<S> split_heads(const Array<S>& x, Index H) {
  const Index N = x.extent(0), K = x.extent(1) / H;
  Array<S> heads{H, N, K};
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n) std::copy_n(&x(n, h * K), K, &heads(h, n, 0));
  return heads;
}

// x [N, D] gains the encoding of its positions.
template <class S>
void add_encoding(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                  std::span<const View<const S>> weights, Array<S>& x) {
  if (!scheme.has(Operation::encode)) return;
  Array<S> encoded{x.extent(0), x.extent(1)};
  scheme.encode<S>(context, positions, weights, encoded);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += encoded.data()[i];
}

bool are_neighbours(std::span<const Index> positions) {
  return positions.back() - positions.front() + 1 == static_cast<Index>(positions.size());
}

}  // namespace

template <class S>
Array<S> draw_keys(const Contents& contents, Index length, Index width) {
  Array<S> keys{length, width};
  tbb::parallel_for(Index{0}, (length + rows_per_block - 1) / rows_per_block, [&](Index block) {
    const Index end = std::min(length, (block + 1) * rows_per_block);
    for (Index n = block * rows_per_block; n < end; ++n) contents.row(n, &keys(n, 0));
  });
  return keys;
}

template <class S>
Sequence<S>::Sequence(const host::Scheme& scheme, const host::Context& context, std::vector<View<const S>> weights,
                      View<const S> keys, const Contents& queries)
    : scheme_(&scheme),
      context_(context),
      weights_(std::move(weights)),
      query_contents_(&queries),
      positions_(Trial::positions(0, served(scheme, context.length))),
      layer_input_{positions_.extent(0), scheme.model().model_width} {
  std::copy_n(keys.begin(), layer_input_.size(), layer_input_.data());
  add_encoding<S>(scheme, context_, positions_, weights_, layer_input_);
  keys_ = split_heads(layer_input_, scheme.model().heads);
  if (scheme.has(Operation::transform)) scheme.transform<S>(context_, host::Side::key, positions_, weights_, keys_);
}

// [H, Nq, K], transformed.
template <class S>
Array<S> Sequence<S>::queries_at(std::span<const Index> positions) const {
  const auto Nq = static_cast<Index>(positions.size());
  Array<double> where{Nq, 1};
  Array<S> contents{Nq, scheme_->model().model_width};
  for (Index i = 0; i < Nq; ++i) {
    const Index position = positions[static_cast<std::size_t>(i)];
    where(i, 0) = static_cast<double>(position);
    query_contents_->row(position, &contents(i, 0));
  }
  add_encoding<S>(*scheme_, context_, where, weights_, contents);
  Array<S> queries = split_heads(contents, scheme_->model().heads);
  if (scheme_->has(Operation::transform))
    scheme_->template transform<S>(context_, host::Side::query, where, weights_, queries);
  return queries;
}

template <class S>
QueryBatch<S> Sequence<S>::logits(std::span<const Index> positions) const {
  const Index H = scheme_->model().heads, Nq = static_cast<Index>(positions.size()), Nk = positions.back() + 1;
  const double scale = scheme_->logit_scale();
  const Array<S> queries = queries_at(positions);
  QueryBatch<S> batch{positions, Array<S>{H, Nq, Nk}};
  attention::scaled_products<S>(queries, keys_, scale, batch.logits);
  // `score` wants the keys that the batch sees as an array of their own: made once for all its queries.
  const Array<S> seen = scheme_->has(Operation::score) ? attention::rows_of_heads(keys_.view(), 0, Nk) : Array<S>();
  const View<const S> keys = scheme_->has(Operation::score) ? seen.view() : keys_.view();
  const auto add_positions = [&](const Array<S>& some_queries, Index first, Array<S>& logits) {
    attention::add_positions<S>(*scheme_, context_, positions_, some_queries, keys, layer_input_, first, scale,
                                weights_, logits);
  };
  if (are_neighbours(positions)) {
    add_positions(queries, positions.front(), batch.logits);
    return batch;
  }
  if (!scheme_->has(Operation::bias) && !scheme_->has(Operation::score)) return batch;
  for (Index i = 0; i < Nq; ++i) {
    Array<S> row = attention::rows_of_heads<S>(batch.logits, i, 1);
    add_positions(attention::rows_of_heads<S>(queries, i, 1), positions[static_cast<std::size_t>(i)], row);
    for (Index h = 0; h < H; ++h) std::copy_n(&row(h, 0, 0), Nk, &batch.logits(h, i, 0));
  }
  return batch;
}

template Array<float> draw_keys<float>(const Contents&, Index, Index);
template Array<double> draw_keys<double>(const Contents&, Index, Index);
template class Sequence<float>;
template class Sequence<double>;

}  // namespace poslab::experiments::extrapolation
