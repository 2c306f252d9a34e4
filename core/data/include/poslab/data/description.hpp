// SPDX-License-Identifier: Apache-2.0
// What schemes and experiments declare of themselves, as JSON, and what they do not declare.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/json.hpp"
#include "poslab/data/catalogue.hpp"

namespace poslab::data {

/// Which values a parameter or an axis takes: "integer, 1 to 8, or unset".
std::string allowed_text(const Quantity& quantity);

/// Why `owner` has nothing of this name: with the one that was meant, or all that there are. `word`: "a parameter".
std::string no_such_name(const std::string& name, const std::string& word, const std::string& owner,
                         const std::vector<std::string>& names);
std::string no_such_parameter(const SchemeInfo& scheme, const std::string& name);

base::Json json_of(const SchemeInfo& scheme);
base::Json json_of(const ExperimentInfo& experiment);

}  // namespace poslab::data
