// SPDX-License-Identifier: Apache-2.0
// `poslab identify`: a variant in one word, and what a verdict comes to.
#pragma once

#include <string>

#include "commands/document.hpp"
#include "poslab/host/library.hpp"
#include "poslab/identify/verdict.hpp"

namespace poslab::app {

/// "rope", "rope(base=500000, scaling=llama3)", "swin(window=[7,7])". Values are the scheme's own types; those that are
/// its defaults are left out. Throws UsageError, with a did-you-mean for a misspelt name.
identify::Named expected_variant(const std::string& text, const host::Library& library);

Document identify_document(const identify::Verdict& verdict, const std::string& file);

// Facts of a verdict, each with its id, numbers and sentence.
Fact fact_of(const identify::Slip& slip);
Fact fact_of(const identify::Precision& precision);
Fact fact_of(const identify::Silence& silence, const std::string& layout);
/// "head", 3: the coordinates that a place has.
base::Json json_of(const identify::Place& place);
/// "head 3, channel 1"
std::string place_text(const identify::Place& place);

}  // namespace poslab::app
