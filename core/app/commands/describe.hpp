// SPDX-License-Identifier: Apache-2.0
// What schemes, their variants and experiments say of themselves, in words.
#pragma once

#include <string>

#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::app {

std::string scheme_text(const data::SchemeInfo& scheme);
std::string experiment_text(const data::ExperimentInfo& experiment);
/// A variant attached to a model: operations, claims, limits, weights.
std::string variant_text(const host::Scheme& scheme);

}  // namespace poslab::app
