// SPDX-License-Identifier: Apache-2.0
// What a refutation says of a number: where it stands, how far it is from another, and how far it may be.
#pragma once

#include <cstddef>
#include <string>

#include "calls/call.hpp"

namespace poslab::check {

/// "entry 17 of `output` (head 1, query at position 3, key at position 0)", by the shapes of plugin.h.
std::string entry_text(const Call& call, const Member& member, std::size_t entry);
/// The part in brackets alone, with a blank before; empty for a list that is none of plugin.h's arrays.
std::string place_text(const Call& call, const std::string& name, const Tensor& tensor, std::size_t entry);

/// "; 1.5e-06 apart in float64, where 3e-13 is allowed: about float32's rounding of such a number"
std::string gap_text(double one, double other, double allowed, int scalar = POSLAB_F64);

}  // namespace poslab::check
