// SPDX-License-Identifier: Apache-2.0
// What a variant says of itself, as words and as JSON.
#pragma once

#include <vector>

#include "poslab/base/json.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::host {

struct Claim {
  poslab_claim bit;
  const char *name, *sentence;
};
std::vector<Claim> claims_of(const Scheme& scheme);

const char* mask_text(Mask mask);  ///< "causal only", "bidirectional only", "any"

/// A variant attached to a model: operations, claims, limits, weights.
base::Json json_of(const Scheme& scheme);

}  // namespace poslab::host
