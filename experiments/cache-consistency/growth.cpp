// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N tokens of the grown context, T of the shorter one, M queries looked at, D model width, H heads,
// K head width.
#include "growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/attention/coded.hpp"
#include "poslab/attention/softmax.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::cache_consistency {
namespace {

using attention::Coded;
using base::Array;

template <class S>
host::Context context_of(const Setting<S>& setting, Index tokens) {
  return {tokens, setting.scheme.model().train_length, true};
}

// The first T tokens in a context of T, or all of them in one of N.
template <class S>
Coded<S> coded_in(const Setting<S>& setting, View<const S> query, View<const S> key, Index tokens) {
  const Array<S> q = attention::rows_of_heads(query, 0, tokens), k = attention::rows_of_heads(key, 0, tokens);
  return attention::coded<S>(setting.scheme, context_of(setting, tokens), setting.positions.rows(0, tokens),
                             setting.weights, q, k);
}

// Unmasked logits [H, M, keys] of queries first .. first + M - 1 in a context of `tokens`.
template <class S>
Array<S> logits_in(const Setting<S>& setting, const Coded<S>& contents, Index tokens, Index first, Index M,
                   Index keys) {
  Array<S> out{contents.transformed.key.extent(0), M, keys};
  attention::logits<S>(setting.scheme, context_of(setting, tokens), setting.positions.rows(0, tokens),
                       contents.transformed, contents.layer_input, first, setting.weights, out);
  return out;
}

// The logits of queries first .. first + M - 1 and the keys that they may see, made with all keys of the context at
// hand: a scheme that looks at those after a query finds others in another context. Products are made apart for those,
// so that the others have the same bits whatever follows.
template <class S>
Array<S> past_logits(const Setting<S>& setting, const Coded<S>& contents, Index tokens, Index first, Index M) {
  const Index seen = first + M;
  if (!setting.scheme.has(host::Operation::score)) return logits_in(setting, contents, tokens, first, M, seen);
  const attention::Transformed<S>& transformed = contents.transformed;
  const Index H = transformed.key.extent(0), after = tokens - seen;
  const double scale = setting.scheme.logit_scale();
  const Array<S> queries = attention::rows_of_heads(transformed.query.view(), first, M),
                 later = attention::rows_of_heads(transformed.key.view(), seen, after);
  Array<S> out{H, M, tokens}, of_seen{H, M, seen}, of_later{H, M, after};
  attention::scaled_products<S>(queries, transformed.key, scale, of_seen);
  if (after > 0) attention::scaled_products<S>(queries, later, scale, of_later);
  for (Index row = 0; row < H * M; ++row) {
    std::copy_n(of_seen.data() + row * seen, seen, out.data() + row * tokens);
    std::copy_n(of_later.data() + row * after, after, out.data() + row * tokens + seen);
  }
  attention::add_positions<S>(setting.scheme, context_of(setting, tokens), setting.positions.rows(0, tokens), queries,
                              transformed.key, contents.layer_input, first, scale, setting.weights, out);
  return out;
}

// What a decoder holds: keys, and what old tokens gave to the layer, as the shorter context made them.
template <class S>
Coded<S> with_cache(const Coded<S>& grown, const Coded<S>& shorter) {
  Coded<S> mixed{{grown.transformed.query.copy(), grown.transformed.key.copy()}, grown.layer_input.copy()};
  const Index H = shorter.transformed.key.extent(0), T = shorter.transformed.key.extent(1);
  for (Index h = 0; h < H; ++h) {
    const View<const S> old = shorter.transformed.key.view()[h];
    std::copy(old.begin(), old.end(), mixed.transformed.key.view()[h].begin());
  }
  std::copy_n(shorter.layer_input.data(), T * shorter.layer_input.extent(1), mixed.layer_input.data());
  return mixed;
}

double difference(double a, double b, Index query, Index key) {
  for (const double logit : {a, b})
    if (!std::isfinite(logit)) throw data::not_finite("a logit", fmt::format("query {} and key {}", query, key), logit);
  return a - b;
}

template <class S>
void add_new(const Array<S>& cached, const Array<S>& recomputed, Index first, Index T, Change& change) {
  for (Index h = 0; h < cached.extent(0); ++h)
    for (Index i = 0; i < cached.extent(1); ++i)
      for (Index j = 0; j < T; ++j) {
        const double apart = std::abs(
            difference(static_cast<double>(cached(h, i, j)), static_cast<double>(recomputed(h, i, j)), first + i, j));
        change.largest = std::max(change.largest, apart);
        change.squares += apart * apart;
        change.pairs += 1;
      }
}

// Less the mean over the keys of a query, which softmax cancels.
template <class S>
void add_past(const Array<S>& shorter, const Array<S>& grown, Index first, Change& change) {
  for (Index h = 0; h < shorter.extent(0); ++h)
    for (Index i = 0; i < shorter.extent(1); ++i) {
      numerics::Moments of_query;
      for (Index j = 0; j <= first + i; ++j)
        of_query.add(
            difference(static_cast<double>(grown(h, i, j)), static_cast<double>(shorter(h, i, j)), first + i, j));
      change.past = std::max({change.past, of_query.highest() - of_query.mean(), of_query.mean() - of_query.lowest()});
    }
}

// Half the sum of |a - b| over keys: the attention that is elsewhere. The logits become attention.
template <class S>
void add_moved(Array<S>& cached, Array<S>& recomputed, Index first, Change& change) {
  attention::masked_softmax<S>(cached, first, true);
  attention::masked_softmax<S>(recomputed, first, true);
  for (Index n = 0; n < cached.size(); ++n)
    change.moved += std::abs(static_cast<double>(cached.data()[n]) - static_cast<double>(recomputed.data()[n])) / 2;
  change.queries += static_cast<double>(cached.extent(0) * cached.extent(1));
}

}  // namespace

void Change::append(const Change& other) {
  largest = std::max(largest, other.largest);
  past = std::max(past, other.past);
  squares += other.squares, pairs += other.pairs;
  moved += other.moved, queries += other.queries;
}

template <class S>
Change change(const Setting<S>& setting, View<const S> query, View<const S> key, Index T) {
  const Index N = setting.positions.shape[0], old = std::min(queries_looked_at, T),
              fresh = std::min(queries_looked_at, N - T);
  const Coded<S> grown = coded_in(setting, query, key, N), shorter = coded_in(setting, query, key, T);
  Change change;
  const Index first = T - old;
  add_past(past_logits(setting, shorter, T, first, old), past_logits(setting, grown, N, first, old), first, change);
  Array<S> cached = logits_in(setting, with_cache(grown, shorter), N, N - fresh, fresh, N),
           recomputed = logits_in(setting, grown, N, N - fresh, fresh, N);
  add_new(cached, recomputed, N - fresh, T, change);
  add_moved(cached, recomputed, N - fresh, change);
  return change;
}

template <class S>
double reused_bias_change(const Setting<S>& setting, Index T) {
  const Index N = setting.positions.shape[0], H = setting.scheme.model().heads;
  const auto last_row = [&](Index tokens) {
    Array<S> row{H, 1, tokens};
    const host::Tile tile{setting.positions.rows(tokens - 1, 1), setting.positions.rows(0, tokens), tokens - 1};
    setting.scheme.template bias<S>(context_of(setting, tokens), tile, setting.weights, row);
    return row;
  };
  const Array<S> grown = last_row(N), shorter = last_row(T);
  double largest = 0;
  for (Index h = 0; h < H; ++h)
    for (Index r = 0; r < T; ++r)
      largest =
          std::max(largest, std::abs(difference(static_cast<double>(grown(h, 0, N - 1 - r)),
                                                static_cast<double>(shorter(h, 0, T - 1 - r)), N - 1, N - 1 - r)));
  return largest;
}

#define POSLAB_FOR(S)                                                                \
  template Change change<S>(const Setting<S>&, View<const S>, View<const S>, Index); \
  template double reused_bias_change<S>(const Setting<S>&, Index);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::cache_consistency
