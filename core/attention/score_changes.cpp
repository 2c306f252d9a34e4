// SPDX-License-Identifier: Apache-2.0
#include "score_changes.hpp"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>

#include "poslab/attention/logits.hpp"

namespace poslab::attention {

namespace {

// first, first + 1, ... : `count` of them, `times` over.
Array<double> consecutive(double first, Index count, Index times = 1) {
  Array<double> positions{times * count, 1};
  for (Index n = 0; n < times * count; ++n) positions(n, 0) = first + static_cast<double>(n % count);
  return positions;
}

template <class S>
struct Changes {
  Array<S> values;  // [H, Nq, Nk]
  double largest = 0;
};

// What `score` does to the logits of queries [H, Nq, K] against keys [H, Nk, K] at `positions` [Nk, A]. The queries
// stand where the keys first_query .. first_query + Nq - 1 do.
template <class S>
Changes<S> changes(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                   Index first_query, const Array<S>& queries, const Array<S>& keys,
                   std::span<const View<const S>> weights) {
  const Index H = queries.extent(0), Nq = queries.extent(1), Nk = keys.extent(1);
  const host::Tile tile{positions.rows(first_query, Nq), positions, first_query};
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

// Row n of every head is the unit vector e_(n mod period - skipped), or zero where that is negative.
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

// Rows `first` .. of every head are all ones, those before are zero.
template <class S>
Array<S> ones_from(Index heads, Index count, Index width, Index first) {
  Array<S> rows{heads, count, width};
  for (Index h = 0; h < heads; ++h) {
    const View<S> ones = rows.view()[h].rows(first, count - first);
    std::fill(ones.begin(), ones.end(), S(1));
  }
  return rows;
}

template <class S>
ScoreChanges<S> room_for(Index R, Index H, Index K) {
  return {Array<S>{R, H}, Array<S>{R, H, K}, Array<S>{R, H, K}, Array<S>{R, H, K}, 0};
}

}  // namespace

template <class S>
ScoreChanges<S> changes_one_by_one(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                                   std::span<const View<const S>> weights) {
  const Index R = offsets.count(), H = scheme.model().heads, K = scheme.model().head_width();
  ScoreChanges<S> found = room_for<S>(R, H, K);
  const Array<S> no_query{H, 1, K}, no_key{H, R, K}, ones = ones_from<S>(H, R, K, 0);
  const auto ask = [&](const Array<S>& query, const Array<S>& keys, const auto& place) {
    const Changes<S> made = changes<S>(scheme, context, offsets.positions, offsets.query, query, keys, weights);
    for (Index r = 0; r < R; ++r)
      for (Index h = 0; h < H; ++h) place(r, h) = made.values(h, 0, offsets.key_of(r));
    found.largest = std::max(found.largest, made.largest);
  };
  ask(no_query, no_key, [&](Index r, Index h) -> S& { return found.nothing(r, h); });
  for (Index a = 0; a < K; ++a) {
    const Array<S> unit_query = units<S>(H, 1, K, a), unit_keys = units<S>(H, R, K, a);
    ask(unit_query, no_key, [&](Index r, Index h) -> S& { return found.query(r, h, a); });
    ask(no_query, unit_keys, [&](Index r, Index h) -> S& { return found.key(r, h, a); });
    ask(unit_query, ones, [&](Index r, Index h) -> S& { return found.pair(r, h, a); });
  }
  return found;
}

template <class S>
ScoreChanges<S> changes_of_any_content(const host::Scheme& scheme, const host::Context& context,
                                       const OffsetRange& offsets, std::span<const View<const S>> weights) {
  const Index R = offsets.count(), H = scheme.model().heads, K = scheme.model().head_width();
  ScoreChanges<S> found = room_for<S>(R, H, K);
  const Changes<S> made =
      changes<S>(scheme, context, offsets.positions, offsets.query, Array<S>{H, 1, K}, Array<S>{H, R, K}, weights);
  for (Index r = 0; r < R; ++r)
    for (Index h = 0; h < H; ++h) {
      const S change = found.nothing(r, h) = made.values(h, 0, offsets.key_of(r));
      for (Array<S>* contents : {&found.query, &found.key, &found.pair}) std::fill_n(&(*contents)(r, h, 0), K, change);
    }
  found.largest = std::max(made.largest, std::abs(scheme.logit_scale()));  // that of <e_a, 1>
  return found;
}

// Query row i is at position query + i, so the offset r meets it at key query + i - r: every row sees all offsets.
// Where the contents of the queries cycle through zero and the axes, row a + 1 has axis a; it meets keys
// of zero, and, at the same positions once more, keys of ones. Where the contents of the keys cycle, the key of axis a
// is met by the one row i for which query + i - r is a modulo K.
template <class S>
ScoreChanges<S> changes_in_tiles(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                                 std::span<const View<const S>> weights) {
  const Index R = offsets.count(), H = scheme.model().heads, K = scheme.model().head_width(), Nk = R + K;
  const double first = offsets.positions(0, 0);
  ScoreChanges<S> found = room_for<S>(R, H, K);
  Changes<S> of_queries, of_keys;
  tbb::parallel_invoke(
      [&] {
        of_queries = changes<S>(scheme, context, consecutive(first, Nk, 2), Nk + offsets.query,
                                cycled_units<S>(H, K + 1, K, K + 1, 1), ones_from<S>(H, 2 * Nk, K, Nk), weights);
      },
      [&] {
        of_keys = changes<S>(scheme, context, consecutive(first, Nk), offsets.query, Array<S>{H, K, K},
                             cycled_units<S>(H, Nk, K, K, 0), weights);
      });
  for (Index r = 0; r < R; ++r) {
    const Index key = offsets.key_of(r);
    for (Index h = 0; h < H; ++h) {
      found.nothing(r, h) = of_queries.values(h, 0, key);
      for (Index a = 0; a < K; ++a) {
        const Index row = ((a - key) % K + K) % K;
        found.query(r, h, a) = of_queries.values(h, a + 1, key + a + 1);
        found.key(r, h, a) = of_keys.values(h, row, key + row);
        found.pair(r, h, a) = of_queries.values(h, a + 1, Nk + key + a + 1);
      }
    }
  }
  found.largest = std::max(of_queries.largest, of_keys.largest);
  return found;
}

#define POSLAB_FOR(S)                                                                                               \
  template ScoreChanges<S> changes_one_by_one<S>(const host::Scheme&, const host::Context&, const OffsetRange&,     \
                                                 std::span<const View<const S>>);                                   \
  template ScoreChanges<S> changes_of_any_content<S>(const host::Scheme&, const host::Context&, const OffsetRange&, \
                                                     std::span<const View<const S>>);                               \
  template ScoreChanges<S> changes_in_tiles<S>(const host::Scheme&, const host::Context&, const OffsetRange&,       \
                                               std::span<const View<const S>>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
