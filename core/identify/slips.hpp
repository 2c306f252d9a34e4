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

/// Whether nothing was rotated or added anywhere.
bool is_unchanged(const Evidence& evidence);
/// Whether all tokens are at a position where schemes are alike: 0, or of offsets any.
bool shows_one_place(const Evidence& evidence);
/// Whether nothing was rotated or added, though something could have been.
bool shows_no_positions(const Evidence& evidence);

/// A slip of how what was named is used: logits with another scale than its own, no mask where it needs one.
std::optional<Slip> slip_of_use(const host::Scheme& scheme, const Evidence& evidence);

/// The same, or one within what was named: an attention factor that was dropped or applied twice, an exponent over
/// another width.
std::optional<Slip> slip_within(const Found& found, const Evidence& evidence, const Maker& maker);

}  // namespace poslab::identify
