// SPDX-License-Identifier: Apache-2.0
// What schemes and experiments declare of themselves, in words: one of them in full, or a line for each.
#pragma once

#include <string>

#include "poslab/data/catalogue.hpp"

namespace poslab::app {

std::string scheme_text(const data::SchemeInfo& scheme);
std::string experiment_text(const data::ExperimentInfo& experiment);
/// Which values a parameter or an axis takes: "integer, 1 to 8, or unset".
std::string allowed_text(const data::Quantity& quantity);

std::string schemes_text(const data::Catalogue& catalogue);  ///< by family
std::string experiments_text(const data::Catalogue& catalogue);

}  // namespace poslab::app
