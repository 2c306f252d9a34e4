// SPDX-License-Identifier: Apache-2.0
#include "sequence.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "poslab/attention/heads.hpp"
#include "poslab/attention/logits.hpp"
#include "poslab/numerics/inner_product.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using host::Operation;

constexpr Index rows_per_block = 128;

// Rows of x [N, M], in the given order.
template <class S>
Array<S> rows_in_order(View<const S> x, const std::vector<Index>& order) {
  Array<S> rows{static_cast<Index>(order.size()), x.shape[1]};
  for (Index i = 0; i < rows.extent(0); ++i) std::copy_n(&x(order[base::at(i)], 0), x.shape[1], &rows(i, 0));
  return rows;
}

// The same of every head: [H, N, K].
template <class S>
Array<S> heads_in_order(View<const S> x, const std::vector<Index>& order) {
  Array<S> rows{x.shape[0], static_cast<Index>(order.size()), x.shape[2]};
  for (Index h = 0; h < x.shape[0]; ++h) {
    const Array<S> of_head = rows_in_order(x[h], order);
    std::copy(of_head.flat().begin(), of_head.flat().end(), rows.view()[h].begin());
  }
  return rows;
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
Sequence<S>::Sequence(const host::Scheme& scheme, With with, const host::Context& context,
                      std::vector<View<const S>> weights, View<const S> keys, const Contents& queries)
    : scheme_(&scheme),
      with_(with),
      context_(context),
      weights_(std::move(weights)),
      query_contents_(&queries),
      positions_(ExperimentInput::positions(0, served(scheme, context.length))),
      layer_input_{positions_.extent(0), scheme.model().model_width} {
  std::copy_n(keys.begin(), layer_input_.size(), layer_input_.data());
  add_encoding(positions_, layer_input_);
  keys_ = attention::split_heads<S>(layer_input_, scheme.model().heads);
  if (has(Operation::transform)) scheme.transform<S>(context_, host::Side::key, positions_, weights_, keys_);
}

// x [N, D] gains the encoding of its positions.
template <class S>
void Sequence<S>::add_encoding(host::Positions positions, Array<S>& x) const {
  if (!has(Operation::encode)) return;
  Array<S> encoded{x.extent(0), x.extent(1)};
  scheme_->template encode<S>(context_, positions, weights_, encoded);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += encoded.data()[i];
}

// [H, Nq, K], projected and transformed.
template <class S>
Array<S> Sequence<S>::queries_at(std::span<const Index> positions) const {
  const auto Nq = static_cast<Index>(positions.size());
  Array<double> where{Nq, 1};
  Array<S> contents{Nq, scheme_->model().model_width};
  for (Index i = 0; i < Nq; ++i) {
    const Index position = positions[base::at(i)];
    where(i, 0) = static_cast<double>(position);
    query_contents_->row(position, &contents(i, 0));
  }
  add_encoding(where, contents);
  const double projection = usual_scale() / scale();
  if (projection != 1)
    for (S& x : contents.flat()) x = static_cast<S>(projection * static_cast<double>(x));
  Array<S> queries = attention::split_heads<S>(contents, scheme_->model().heads);
  if (has(Operation::transform)) scheme_->template transform<S>(context_, host::Side::query, where, weights_, queries);
  return queries;
}

template <class S>
void QueryBatch<S>::visible(Index h, Index i, Index position, std::vector<double>& seen) const {
  seen.clear();
  const S* const of_query = &logits_(h, i, 0);
  const auto add_of = [&](auto first, auto last) {  // ascending
    const S* const logits = of_query + (first - key_positions_.begin());
    seen.insert(seen.end(), logits, logits + (std::upper_bound(first, last, position) - first));
  };
  const auto asked = key_positions_.begin() + others_;
  add_of(key_positions_.begin(), asked);
  add_of(asked, key_positions_.end());
}

template <class S>
double QueryBatch<S>::own(Index h, Index i, Index position) const {
  const auto own = std::lower_bound(key_positions_.begin() + others_, key_positions_.end(), position);
  return static_cast<double>(logits_(h, i, own - key_positions_.begin()));
}

// Positions 0 .. the last of `positions`: first the others, then those given.
template <class S>
std::vector<Index> Sequence<S>::key_order(std::span<const Index> positions) const {
  std::vector<Index> order;
  for (Index n = 0; n <= positions.back(); ++n)
    if (!std::binary_search(positions.begin(), positions.end(), n)) order.push_back(n);
  order.insert(order.end(), positions.begin(), positions.end());
  return order;
}

template <class S>
void Sequence<S>::add_positions(const Array<S>& queries, const std::vector<Index>& order, Array<S>& logits) const {
  const bool has_score = has(Operation::score);
  const Array<double> positions = rows_in_order<double>(positions_, order);
  const Array<S> keys = has_score ? heads_in_order<S>(keys_, order) : Array<S>();
  const Array<S> layer_input = has_score ? rows_in_order<S>(layer_input_, order) : Array<S>();
  const Index first_query = positions.extent(0) - queries.extent(1);
  attention::add_positions<S>(*scheme_, context_, positions, queries, keys, layer_input, first_query, scale(), weights_,
                              logits);
}

template <class S>
QueryBatch<S> Sequence<S>::logits(std::span<const Index> positions) const {
  const Array<S> queries = queries_at(positions);
  const std::vector<Index> order = key_order(positions);
  Array<S> logits{queries.extent(0), queries.extent(1), static_cast<Index>(order.size())};
  attention::scaled_products<S>(queries, heads_in_order<S>(keys_, order), scale(), logits);
  if (has(Operation::bias) || has(Operation::score)) add_positions(queries, order, logits);
  return {order, std::ssize(order) - std::ssize(positions), std::move(logits)};
}

template <class S>
std::vector<double> Sequence<S>::mean_logits_of_products(std::span<const Index> positions) const {
  const Array<S> queries = queries_at(positions);
  const Index H = queries.extent(0), K = queries.extent(2);
  std::vector<double> means(positions.size(), 0.0);
  for (Index h = 0; h < H; ++h) {
    std::vector<double> sum(static_cast<std::size_t>(K), 0.0);
    Index n = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      for (; n <= positions[i]; ++n)
        for (Index a = 0; a < K; ++a) sum[base::at(a)] += static_cast<double>(keys_(h, n, a));
      double product = 0;
      for (Index a = 0; a < K; ++a)
        product += static_cast<double>(queries(h, static_cast<Index>(i), a)) * sum[base::at(a)];
      means[i] += scale() * product / static_cast<double>((positions[i] + 1) * H);
    }
  }
  return means;
}

template <class S>
std::vector<double> Sequence<S>::own_logits_of_products(std::span<const Index> positions) const {
  const Array<S> queries = queries_at(positions);
  const Index H = queries.extent(0), K = queries.extent(2);
  std::vector<double> own(positions.size(), 0.0);
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (Index h = 0; h < H; ++h)
      own[i] += scale() / static_cast<double>(H) *
                numerics::inner_product(&queries(h, static_cast<Index>(i), 0), &keys_(h, positions[i], 0), K);
  return own;
}

template Array<float> draw_keys<float>(const Contents&, Index, Index);
template Array<double> draw_keys<double>(const Contents&, Index, Index);
template class QueryBatch<float>;
template class QueryBatch<double>;
template class Sequence<float>;
template class Sequence<double>;

}  // namespace poslab::experiments::extrapolation
