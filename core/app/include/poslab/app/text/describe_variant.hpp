// SPDX-License-Identifier: Apache-2.0
// What one variant of a scheme, attached to a model, says of itself: operations, claims, limits, weights.
#pragma once

#include <string>
#include <vector>

#include "poslab/host/scheme.hpp"

namespace poslab::app {

std::string variant_text(const host::Scheme& scheme);

const char* mask_text(host::Mask mask);                           ///< "causal only", "bidirectional only", "any"
const char* initialisation_word(const host::WeightInfo& weight);  ///< "normal", "uniform", "constant"
std::vector<std::string> claims_of(const host::Scheme& scheme);   ///< names

}  // namespace poslab::app
