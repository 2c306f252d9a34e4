// SPDX-License-Identifier: Apache-2.0
// What a scheme's code of a position, or of an offset, is: the objects that uniqueness and extrapolation measure
// (measurements.md, "Signatures").
// Dimension letters: N positions, D model width, H heads, K head width.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::attention {

using base::Array;
using base::Index;
using base::View;

enum class SignatureKind { position, offset };
enum class Offsets { causal, both };

/// Empty if the scheme has a signature of this kind; else the sentence for a skipped cell. `none` has both (all equal).
std::string why_no_signature(const host::Scheme& scheme, SignatureKind kind);
/// The kind that suits a scheme: position for `encode` and `transform`, offset for `bias`, `score`, `mix`.
SignatureKind natural_kind(const host::Scheme& scheme);

/// phi(p), one row a position, [N, width]: `encode`'s row, or T_p 1 (all-ones input, key side, all heads). A scheme with
/// neither (none) gives [N, 1] zeros.
template <class S>
Array<S> position_signatures(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                             std::span<const View<const S>> weights);

/// The offsets r = query - key of `kind_of_offsets` for N positions: 0 .. N-1, or -(N-1)/2 .. .
std::vector<double> offset_values(Offsets kind_of_offsets, Index count);

/// phi(r), one row an offset, [N, width]: the scheme's change to the logit over the scale for the probes (q, k) = (0, 0),
/// (e_a, 0), (0, e_a), (e_a, 1), query fixed at N-1 (causal) or in the middle (both); then the value row that `mix` adds.
template <class S>
Array<S> offset_signatures(const host::Scheme& scheme, const host::Context& context, Offsets kind_of_offsets, Index count,
                           std::span<const View<const S>> weights);

}  // namespace poslab::attention
