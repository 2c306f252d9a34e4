// SPDX-License-Identifier: Apache-2.0
// What one variant of a scheme, attached to a model, says of itself: operations, claims, limits, weights.
#pragma once

#include <string>

#include "poslab/host/scheme.hpp"

namespace poslab::app {

std::string variant_text(const host::Scheme& scheme);
/// The members of a JSON object, without its braces.
std::string variant_json(const host::Scheme& scheme);

}  // namespace poslab::app
