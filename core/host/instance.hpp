// SPDX-License-Identifier: Apache-2.0
// What `create` says of a variant, checked once.
#pragma once

#include <vector>

#include "poslab/host/scheme.hpp"

namespace poslab::host {

/// What holds where a plugin says nothing: no limits, no claims, the usual scale.
poslab_instance blank_instance();

/// Throws base::Error with the rule that `instance` breaks.
void check_instance(const poslab_plugin& table, const poslab_instance& instance);

/// The learnable arrays that `instance` declares; throws base::Error with the rule that one breaks.
std::vector<WeightInfo> declared_weights(const poslab_instance& instance);

}  // namespace poslab::host
