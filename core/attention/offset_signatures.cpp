// SPDX-License-Identifier: Apache-2.0
// Offset signatures, put together from the bias, the changes of `score` and the value rows of `mix`.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "poslab/attention/signatures.hpp"
#include "score_changes.hpp"

namespace poslab::attention {

using host::Operation;

namespace {

// 0 .. count - 1
Array<double> from_zero(Index count) {
  Array<double> positions{count, 1};
  for (Index n = 0; n < count; ++n) positions(n, 0) = static_cast<double>(n);
  return positions;
}

bool are_consecutive(View<const double> positions) {
  bool consecutive = positions.shape[1] == 1;
  for (Index n = 1; consecutive && n < positions.shape[0]; ++n)
    consecutive = positions(n, 0) == positions(0, 0) + static_cast<double>(n);
  return consecutive;
}

template <class S>
using Weights = std::span<const View<const S>>;

// [R, H]: what is added to the logits whatever q and k are.
template <class S>
Array<S> bias_rows(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                   Weights<S> weights) {
  const Index R = offsets.count(), H = scheme.model().heads;
  Array<S> rows{R, H};
  if (!scheme.has(Operation::bias)) return rows;
  const View<const double> keys = offsets.positions;
  Array<S> bias{H, 1, R};
  scheme.bias<S>(context, {keys.rows(offsets.query, 1), keys, offsets.query}, weights, bias);
  for (Index r = 0; r < R; ++r)
    for (Index h = 0; h < H; ++h) rows(r, h) = bias(h, 0, offsets.key_of(r));
  return rows;
}

// [R, H K]: what `mix` adds where one key has all the attention. Two keys are enough: that one, and the query's own.
template <class S>
Array<S> value_rows(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                    Weights<S> weights) {
  const Index R = offsets.count(), H = scheme.model().heads, K = scheme.model().head_width();
  const View<const double> all = offsets.positions;
  const Index A = all.shape[1];
  Array<S> rows{R, H * K};
  for (Index r = 0; r < R; ++r) {
    const Index key = offsets.key_of(r), before = key <= offsets.query ? 0 : 1;
    Array<double> positions{2, A}, query{1, A};
    for (Index axis = 0; axis < A; ++axis) {
      positions(before, axis) = all(key, axis);
      positions(1 - before, axis) = query(0, axis) = all(offsets.query, axis);
    }
    Array<S> attention{H, 1, 2}, out{H, 1, K};
    for (Index h = 0; h < H; ++h) attention(h, 0, before) = 1;
    scheme.mix<S>(context, {query, positions, 1 - before}, attention, weights, out);
    std::copy(out.flat().begin(), out.flat().end(), &rows(r, 0));
  }
  return rows;
}

// The four blocks of `score`, each without what the ones before it explain.
template <class S>
std::vector<Array<S>> score_blocks(const ScoreChanges<S>& changes, Array<S> nothing) {
  const Index R = changes.nothing.extent(0), H = changes.nothing.extent(1), K = changes.query.extent(2);
  Array<S> query{R, H * K}, key{R, H * K}, pair{R, H * K};
  for (Index r = 0; r < R; ++r)
    for (Index h = 0; h < H; ++h) {
      const S constant = changes.nothing(r, h);
      S ones_key = 0;
      for (Index a = 0; a < K; ++a) ones_key += key(r, h * K + a) = changes.key(r, h, a) - constant;
      for (Index a = 0; a < K; ++a) {
        query(r, h * K + a) = changes.query(r, h, a) - constant;
        pair(r, h * K + a) = changes.pair(r, h, a) - changes.query(r, h, a) - ones_key;
      }
      nothing(r, h) += constant;
    }
  std::vector<Array<S>> blocks;
  for (Array<S>* block : {&nothing, &query, &key, &pair}) blocks.push_back(std::move(*block));
  return blocks;
}

// A part of the signature, with the rounding that its numbers may carry.
template <class S>
struct Block {
  Array<S> rows;
  double rounding = 0;
  bool is_zero() const {
    return std::all_of(rows.flat().begin(), rows.flat().end(),
                       [&](S x) { return std::abs(static_cast<double>(x)) <= rounding; });
  }
};

template <class S>
using FindChanges = ScoreChanges<S> (*)(const host::Scheme&, const host::Context&, const OffsetRange&, Weights<S>);

// All blocks, zero or not: which ones there are depends on the scheme's operations only.
template <class S>
std::vector<Block<S>> blocks_of(const host::Scheme& scheme, const host::Context& context, const OffsetRange& offsets,
                                Weights<S> weights, FindChanges<S> find_changes) {
  std::vector<Block<S>> blocks;
  Array<S> nothing = bias_rows<S>(scheme, context, offsets, weights);
  if (scheme.has(Operation::score)) {
    const ScoreChanges<S> changes = find_changes(scheme, context, offsets, weights);
    const auto K = static_cast<double>(scheme.model().head_width());
    const double rounding = 16 * K * static_cast<double>(std::numeric_limits<S>::epsilon()) * changes.largest;
    for (Array<S>& block : score_blocks<S>(changes, std::move(nothing))) blocks.push_back({std::move(block), rounding});
  } else {
    blocks.push_back({std::move(nothing)});
  }
  if (scheme.has(Operation::mix)) blocks.push_back({value_rows<S>(scheme, context, offsets, weights)});
  return blocks;
}

// The blocks marked in `keep`, [R, sum of their widths], or [R, 1] zeros if there are none.
template <class S>
Array<S> side_by_side(const std::vector<Block<S>>& blocks, const std::vector<bool>& keep) {
  const Index R = blocks[0].rows.extent(0);
  Index width = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) width += keep[b] ? blocks[b].rows.extent(1) : 0;
  Array<S> rows{R, std::max<Index>(width, 1)};
  Index first = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!keep[b]) continue;
    const Index columns = blocks[b].rows.extent(1);
    for (Index r = 0; r < R; ++r) std::copy_n(&blocks[b].rows(r, 0), columns, &rows(r, first));
    first += columns;
  }
  return rows;
}

// Offsets, and the context in which they are taken.
struct OffsetsInContext {
  host::Context context;
  OffsetRange offsets;
};

// Tiles need consecutive positions, and some more of them.
bool serves_tiles(const host::Scheme& scheme, View<const double> positions) {
  if (!scheme.claims(POSLAB_RELATIVE) || !are_consecutive(positions)) return false;
  const auto farthest = static_cast<double>(positions.shape[0] - 1 + scheme.model().head_width());
  return !scheme.why_not_positions(positions(0, 0), positions(0, 0) + farthest);
}

template <class S>
FindChanges<S> fewest_calls(const host::Scheme& scheme, View<const double> positions) {
  if (scheme.claims(POSLAB_CONTENT_FREE)) return changes_of_any_content<S>;
  return serves_tiles(scheme, positions) ? changes_in_tiles<S> : changes_one_by_one<S>;
}

enum class Calls { fewest, one_by_one };

template <class S>
OffsetSignatures<S> signatures(const host::Scheme& scheme, const std::vector<OffsetsInContext>& wanted,
                               Weights<S> weights, Calls calls) {
  std::vector<std::vector<Block<S>>> blocks;
  std::vector<bool> keep;
  for (const auto& [context, offsets] : wanted) {
    const FindChanges<S> find_changes =
        calls == Calls::fewest ? fewest_calls<S>(scheme, offsets.positions) : changes_one_by_one<S>;
    blocks.push_back(blocks_of<S>(scheme, context, offsets, weights, find_changes));
    keep.resize(blocks.back().size());
    for (std::size_t b = 0; b < keep.size(); ++b) keep[b] = keep[b] || !blocks.back()[b].is_zero();
  }
  OffsetSignatures<S> found;
  for (const auto& of_context : blocks) found.rows.push_back(side_by_side<S>(of_context, keep));
  const std::size_t without_keys = scheme.has(Operation::score) ? 2 : 1;  // blocks that meet no key's content
  for (std::size_t b = 0; b < without_keys; ++b) found.cancelling += keep[b] ? blocks[0][b].rows.extent(1) : 0;
  return found;
}

}  // namespace

template <class S>
OffsetSignatures<S> offset_signatures(const host::Scheme& scheme, std::span<const OffsetContext> contexts,
                                      Offsets kind_of_offsets, std::span<const View<const S>> weights) {
  std::vector<Array<double>> positions;
  std::vector<OffsetsInContext> wanted;
  for (const auto& [context, count] : contexts) {
    positions.push_back(from_zero(count));
    wanted.push_back({context, {positions.back(), query_of(kind_of_offsets, {&count, 1})}});
  }
  return signatures<S>(scheme, wanted, weights, Calls::fewest);
}

template <class S>
Array<S> offset_signatures(const host::Scheme& scheme, const host::Context& context, View<const double> positions,
                           Index query, std::span<const View<const S>> weights) {
  return std::move(signatures<S>(scheme, {{context, {positions, query}}}, weights, Calls::fewest).rows[0]);
}

template <class S>
Array<S> offset_signatures_reference(const host::Scheme& scheme, const host::Context& context, Offsets kind_of_offsets,
                                     Index count, std::span<const View<const S>> weights) {
  const Array<double> positions = from_zero(count);
  const OffsetsInContext only{context, {positions, query_of(kind_of_offsets, {&count, 1})}};
  return std::move(signatures<S>(scheme, {only}, weights, Calls::one_by_one).rows[0]);
}

#define POSLAB_FOR(S)                                                                                             \
  template OffsetSignatures<S> offset_signatures<S>(const host::Scheme&, std::span<const OffsetContext>, Offsets, \
                                                    Weights<S>);                                                  \
  template Array<S> offset_signatures<S>(const host::Scheme&, const host::Context&, View<const double>, Index,    \
                                         Weights<S>);                                                             \
  template Array<S> offset_signatures_reference<S>(const host::Scheme&, const host::Context&, Offsets, Index,     \
                                                   Weights<S>);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::attention
