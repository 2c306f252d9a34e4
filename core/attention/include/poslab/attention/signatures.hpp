// SPDX-License-Identifier: Apache-2.0
// The code that a scheme gives a position, or an offset: what uniqueness and extrapolation measure. Offsets are told as
// r = query - key, how far the key lies before the query (schemes themselves are handed key - query).
//
// An offset has no array of its own that could be read off, so it is found by trying. The logit s(q, k; r) is what the
// softmax sees: the product times the scale, with everything that the scheme adds. The scheme's change to it,
//   c(q, k; r) = s(q, k; r) - scale * q.k,
// is linear in q and in k wherever the scheme itself does not look at the content, so a few contents say all of it.
// Each counts what it adds to the ones before it; the sum over b is the logit change of an all-ones key:
//   (0, 0)    c(0, 0)                                   1 a head   ALiBi, T5: the bias
//   (e_a, 0)  c(e_a, 0) - c(0, 0)                       K a head   Shaw: scale * a^K, Transformer-XL: scale * W_r R
//   (0, e_a)  c(0, e_a) - c(0, 0)                       K a head   Transformer-XL: scale * u
//   (e_a, 1)  c(e_a, 1) - c(e_a, 0)
//             - sum_b [c(0, e_b) - c(0, 0)]             K a head   what needs both
//   the value row that `mix` adds for a key that has
//   all the attention                                   K a head   Shaw: a^V
// A block that is zero throughout, up to the rounding of its logits, is left out. So the bias of every head is the
// whole signature of ALiBi and T5 (width H), and Shaw's is the scaled rows of a^K and the rows of a^V (width 2 H K).
// Why the scale is not divided out once more: a bias enters after the scale, so dividing would stretch it by sqrt(K),
// and the two would no longer be told in the unit that attention feels. Both stay in units of the logit.
// Dimension letters: N positions, D model width, H heads, K head width.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/refusal.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::attention {

using base::Array;
using base::Index;
using base::View;

enum class SignatureKind { position, offset };
enum class Offsets { causal, both };

/// Whether what the scheme says of a position depends on the tokens that are there: then it has no signature.
bool looks_at_content(const host::Scheme& scheme);
/// The side that carries the code of a position: keys; values of a scheme that transforms them and leaves keys as they
/// are.
host::Side coded_side(const host::Scheme& scheme);
/// Nothing if the scheme has a signature of this kind; else the reason for a skipped cell. `none` has both (all equal).
std::optional<base::Refusal> why_no_signature(const host::Scheme& scheme, SignatureKind kind);
/// The kind that suits a scheme: position for `encode` and `transform`, offset for `bias`, `score`, `mix`.
SignatureKind natural_kind(const host::Scheme& scheme);

/// phi(p), one row a position, [N, width]: `encode`'s row, or T_p 1 (all-ones input, key side, all heads). A scheme
/// with neither (none) gives [N, 1] zeros.
template <class S>
Array<S> position_signatures(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                             std::span<const View<const S>> weights);

/// The token that is the query of offsets among the tokens of a grid of these extents (a sequence has one extent): the
/// last one, or the one in the middle.
Index query_of(Offsets kind_of_offsets, std::span<const Index> extents);

/// The offsets r from that token, the query, to all tokens [N, A]: the last one comes first, so that they rise, for N
/// positions in a row 0 .. N-1 or -(N-1)/2 .. N/2 (whole numbers): [N, A].
Array<double> offset_vectors(View<const double> positions, Index query);

/// phi(r) of the offsets that offset_vectors gives, one row an offset, in its order: [N, width]. A scheme that says
/// nothing of offsets (none, a bias of zeros) gives [N, 1] zeros. A scheme with `score` that claims to be relative
/// takes two tiles, since by that claim other query positions may replace the fixed one; any other takes one call for
/// each content.
template <class S>
Array<S> offset_signatures(const host::Scheme& scheme, const host::Context& context, View<const double> positions,
                           Index query, std::span<const View<const S>> weights);

/// A number of offsets, and the context in which they are taken.
struct OffsetContext {
  host::Context context;
  Index count;
};

template <class S>
struct OffsetSignatures {
  std::vector<Array<S>> rows;  ///< phi(r) of each context
  /// So many columns come first, those of (0, 0) and (e_a, 0), of which softmax cancels what is the same at all
  /// offsets: it is the same for all keys of a query, whatever these are.
  Index cancelling = 0;
};

/// phi(r) in several contexts, with the same columns in each: a block is left out only if it is zero in all of them.
/// Keys at positions 0 .. N-1, the query at query_of(kind_of_offsets, N).
template <class S>
OffsetSignatures<S> offset_signatures(const host::Scheme& scheme, std::span<const OffsetContext> contexts,
                                      Offsets kind_of_offsets, std::span<const View<const S>> weights);

/// The same by the definition, one call for each content, whatever the scheme claims: the tests' oracle, K times
/// slower.
template <class S>
Array<S> offset_signatures_reference(const host::Scheme& scheme, const host::Context& context, Offsets kind_of_offsets,
                                     Index count, std::span<const View<const S>> weights);

}  // namespace poslab::attention
