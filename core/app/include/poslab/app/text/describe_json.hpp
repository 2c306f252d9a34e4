// SPDX-License-Identifier: Apache-2.0
// What schemes, their variants and experiments say of themselves, as JSON.
#pragma once

#include "poslab/base/json.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::app {

base::Json scheme_json(const data::SchemeInfo& scheme);
base::Json experiment_json(const data::ExperimentInfo& experiment);
/// A variant attached to a model: operations, claims, limits, weights.
base::Json variant_json(const host::Scheme& scheme);

}  // namespace poslab::app
