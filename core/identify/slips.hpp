// SPDX-License-Identifier: Apache-2.0
// Ways in which code gets a scheme wrong: what was dumped is compared with what they make of it.
#pragma once

#include <optional>

#include "poslab/identify/identify.hpp"
#include "search/schemes.hpp"

namespace poslab::identify {

struct Explained {
  Slip slip;
  std::optional<Found> found;  ///< inside, of the dump without the slip; none where nothing is left of the scheme
};

/// The first slip that makes some variant with few numbers fit everywhere. `evidence` is changed meanwhile and put
/// back.
std::optional<Explained> explain(Evidence& evidence, const Plugins& plugins, KnownVariants known);
/// The same of slips at the edges of buckets, whose weights are free.
std::optional<Explained> explain_edges(Evidence& evidence, const Plugins& plugins, KnownVariants known);

/// The same of positions that end, where the rows of a weight are free.
std::optional<Explained> explain_ends(Evidence& evidence, const Plugins& plugins, KnownVariants known);

/// Whether nothing was rotated or added, though there are several positions.
bool shows_no_positions(const Evidence& evidence);

/// A slip within what was named: an attention factor that was dropped or applied twice, an exponent over another width.
std::optional<Slip> slip_within(const Found& found, const Evidence& evidence, const Maker& maker);

}  // namespace poslab::identify
