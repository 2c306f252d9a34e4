// SPDX-License-Identifier: Apache-2.0
// What schemes, their variants and experiments say of themselves, in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/json.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::app {

std::string scheme_text(const data::SchemeInfo& scheme);
std::string experiment_text(const data::ExperimentInfo& experiment);
/// Which values a parameter or an axis takes: "integer, 1 to 8, or unset".
std::string allowed_text(const data::Quantity& quantity);
/// A variant attached to a model: operations, claims, limits, weights.
std::string variant_text(const host::Scheme& scheme);

base::Json scheme_json(const data::SchemeInfo& scheme);
base::Json experiment_json(const data::ExperimentInfo& experiment);
base::Json variant_json(const host::Scheme& scheme);

const char* mask_text(host::Mask mask);                           ///< "causal only", "bidirectional only", "any"
const char* initialisation_word(const host::WeightInfo& weight);  ///< "normal", "uniform", "constant"
std::vector<std::string> claims_of(const host::Scheme& scheme);   ///< names

}  // namespace poslab::app
