// SPDX-License-Identifier: Apache-2.0
// The table of codes that a scheme adds to embeddings: one row a position.
// Dimension letters: N positions, A axes of a position, D model width.
#pragma once

#include <span>
#include <string>

#include "poslab/base/array.hpp"
#include "poslab/base/refusal.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::attention {

using base::Array;
using base::Index;
using base::View;

/// Nothing if the scheme has such a table (`encode`), or looks at positions nowhere (`none`: a table of zeros); else
/// the sentence for a skipped cell.
std::optional<base::Refusal> why_no_codes(const host::Scheme& scheme);

/// [N, D] at positions [N, A]; zeros of a scheme that looks at positions nowhere.
template <class S>
Array<S> codes(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
               std::span<const View<const S>> weights);

}  // namespace poslab::attention
