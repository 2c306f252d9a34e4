// SPDX-License-Identifier: Apache-2.0
// `poslab identify`: a variant in one word, and what a verdict comes to.
#pragma once

#include <string>

#include "poslab/base/json.hpp"
#include "poslab/host/library.hpp"
#include "poslab/identify/verdict.hpp"

namespace poslab::app {

/// "rope", "rope(base=500000, scaling=llama3)", "swin(window=[7,7])". Values are the scheme's own types; those that are
/// its defaults are left out. Throws UsageError, with a did-you-mean for a misspelt name.
identify::Named expected_variant(const std::string& text, const host::Library& library);

std::string identify_text(const identify::Verdict& verdict, const std::string& file);
/// Members: file, verdict ("certain", "several", "structure", "offsets", "free table", "nothing"), arrays, layout,
/// named, others, slip, says_nothing_of, expected, candidates.
base::Json identify_json(const identify::Verdict& verdict, const std::string& file);

}  // namespace poslab::app
