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

/// Whether nothing was rotated or added, though there are several positions.
bool shows_no_positions(const Evidence& evidence);

/// A slip within what was named: an attention factor that was dropped or applied twice, an exponent over another width.
std::optional<Slip> slip_within(const Found& found, const Evidence& evidence, const Maker& maker);

}  // namespace poslab::identify
