// SPDX-License-Identifier: Apache-2.0
#include "offset_probes.hpp"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>

#include "poslab/attention/logits.hpp"

namespace poslab::attention {

OffsetRange offset_range(Offsets kind_of_offsets, Index count) {
  if (kind_of_offsets == Offsets::causal) return {count, count - 1, 0};
  return {count, count / 2, -((count - 1) / 2)};
}

namespace {

Array<double> positions_from_zero(Index count) {
  Array<double> positions{count, 1};
  for (Index n = 0; n < count; ++n) positions(n, 0) = static_cast<double>(n);
  return positions;
}

template <class S>
struct Changes {
  Array<S> values;  // [H, Nq, Nk]
  double largest = 0;
};

// What `score` does to the logits of queries [H, Nq, K] at first_query .. against keys [H, Nk, K] at 0 .. Nk-1.
template <class S>
Changes<S> changes(const host::Scheme& scheme, const host::Context& context, Index first_query, const Array<S>& queries,
                   const Array<S>& keys, std::span<const View<const S>> weights) {
  const Index H = queries.extent(0), Nq = queries.extent(1), Nk = keys.extent(1);
  const Array<double> positions = positions_from_zero(Nk);
  const host::Tile tile{positions.view().rows(first_query, Nq), positions, first_query};
  const double scale = scheme.logit_scale();
  Array<S> products{H, Nq, Nk};
  scaled_products<S>(queries, keys, scale, products);
  Changes<S> made{products.copy()};
  scheme.score<S>(context, tile, {{}, queries, keys, scale}, weights, made.values);
  for (Index i = 0; i < products.size(); ++i) {
    S& value = made.values.data()[i];
    const S product = products.data()[i];
    made.largest =
        std::max({made.largest, std::abs(static_cast<double>(value)), std::abs(static_cast<double>(product))});
    value -= product;
  }
  return made;
}

// Row n of every head is the unit vector e_(n mod period - skipped), or nought where that is negative.
template <class S>
Array<S> cycled_units(Index heads, Index count, Index width, Index period, Index skipped) {
  Array<S> units{heads, count, width};
  for (Index h = 0; h < heads; ++h)
    for (Index n = 0; n < count; ++n)
      if (const Index a = n % period - skipped; a >= 0) units(h, n, a) = 1;
  return units;
}

// Every row of every head is e_a.
template <class S>
Array<S> units(Index heads, Index count, Index width, Index a) {
  Array<S> rows{heads, count, width};
  for (Index h = 0; h < heads; ++h)
    for (Index n = 0; n < count; ++n) rows(h, n, a) = 1;
  return rows;
}

template <class S>
Array<S> all(Index heads, Index count, Index width, S value) {
  Array<S> rows{heads, count, width};
  rows.fill(value);
  return rows;
}

template <class S>
ProbedChanges<S> room_for(Index R, Index H, Index K) {
  return {Array<S>{R, H}, Array<S>{R, H, K}, Array<S>{R, H, K}, Array<S>{R, H, K}, 0};
}

}  // namespace

template <class S>
ProbedChanges<S> probe_one_by_one(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                                  std::span<const View<const S>> weights) {
  const Index R = offsets.count, H = scheme.model().heads, K = scheme.model().head_width();
  ProbedChanges<S> probed = room_for<S>(R, H, K);
  const Array<S> no_query{H, 1, K}, no_key{H, R, K}, ones = all<S>(H, R, K, 1);
  const auto ask = [&](const Array<S>& query, const Array<S>& keys, const auto& place) {
    const Changes<S> made = changes<S>(scheme, context, offsets.query, query, keys, weights);
    for (Index r = 0; r < R; ++r)
      for (Index h = 0; h < H; ++h) place(r, h) = made.values(h, 0, offsets.key_of(r));
    probed.largest = std::max(probed.largest, made.largest);
  };
  ask(no_query, no_key, [&](Index r, Index h) -> S& { return probed.nothing(r, h); });
  for (Index a = 0; a < K; ++a) {
    const Array<S> unit_query = units<S>(H, 1, K, a), unit_keys = units<S>(H, R, K, a);
    ask(unit_query, no_key, [&](Index r, Index h) -> S& { return probed.query(r, h, a); });
    ask(no_query, unit_keys, [&](Index r, Index h) -> S& { return probed.key(r, h, a); });
    ask(unit_query, ones, [&](Index r, Index h) -> S& { return probed.pair(r, h, a); });
  }
  return probed;
}

// Query row i stands at position query + i, so the offset r meets it at key query + i - r: every row sees all offsets.
// Where the contents of the queries cycle, row a has the probe of axis a. Where those of the keys cycle, the key of
// axis a is met by the one row i for which query + i - r is a modulo K.
template <class S>
ProbedChanges<S> probe_in_tiles(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                                std::span<const View<const S>> weights) {
  const Index R = offsets.count, H = scheme.model().heads, K = scheme.model().head_width(), Nk = R + K;
  ProbedChanges<S> probed = room_for<S>(R, H, K);
  Changes<S> of_queries, of_keys, of_pairs;
  const auto ask = [&](const Array<S>& queries, const Array<S>& keys) {
    return changes<S>(scheme, context, offsets.query, queries, keys, weights);
  };
  tbb::parallel_invoke(
      [&] {
        of_queries = ask(cycled_units<S>(H, K + 1, K, K + 1, 1), Array<S>{H, Nk, K});
      },
      [&] {
        of_keys = ask(Array<S>{H, K, K}, cycled_units<S>(H, Nk, K, K, 0));
      },
      [&] { of_pairs = ask(cycled_units<S>(H, K, K, K, 0), all<S>(H, Nk, K, 1)); });
  for (Index r = 0; r < R; ++r) {
    const Index key = offsets.key_of(r);
    for (Index h = 0; h < H; ++h) {
      probed.nothing(r, h) = of_queries.values(h, 0, key);
      for (Index a = 0; a < K; ++a) {
        const Index row = ((a - key) % K + K) % K;
        probed.query(r, h, a) = of_queries.values(h, a + 1, key + a + 1);
        probed.key(r, h, a) = of_keys.values(h, row, key + row);
        probed.pair(r, h, a) = of_pairs.values(h, a, key + a);
      }
    }
  }
  probed.largest = std::max({of_queries.largest, of_keys.largest, of_pairs.largest});
  return probed;
}

#define POSLAB_FOR(S)                                                                                          \
  template ProbedChanges<S> probe_one_by_one<S>(const host::Scheme&, const host::Context&, const OffsetRange&, \
                                                std::span<const View<const S>>);                               \
  template ProbedChanges<S> probe_in_tiles<S>(const host::Scheme&, const host::Context&, const OffsetRange&,   \
                                              std::span<const View<const S>>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
