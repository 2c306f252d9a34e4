// SPDX-License-Identifier: Apache-2.0
// What schemes, their variants and experiments say of themselves.
#pragma once

#include <string>

#include "commands/document.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::app {

Document scheme_document(const data::SchemeInfo& scheme);
Document experiment_document(const data::ExperimentInfo& experiment);
/// A variant attached to a model: operations, claims, limits, weights.
void add_variant(Document& document, const host::Scheme& scheme);
/// Why a scheme refuses a variant.
void add_refusal(Document& document, const std::string& reason);

}  // namespace poslab::app
