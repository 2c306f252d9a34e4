// SPDX-License-Identifier: Apache-2.0
// What a variant that was found is called: by the parameters that matter alone.
#pragma once

#include "search/fit.hpp"

namespace poslab::identify {

/// Whether another length of the context would make it another one, and not its scheme's default.
bool depends_on_length(const Maker& maker, const host::Scheme& scheme);

/// Sets the name, its length, and the parameters whose other values show the same.
void name_found(Found& found, const Maker& maker, const Evidence& evidence, const Variant& variant);

}  // namespace poslab::identify
