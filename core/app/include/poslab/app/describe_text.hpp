// SPDX-License-Identifier: Apache-2.0
// What schemes and experiments declare of themselves, as text and as JSON.
#pragma once

#include <string>

#include "poslab/base/catalogue.hpp"

namespace poslab::app {

std::string scheme_text(const base::SchemeInfo& scheme);
std::string experiment_text(const base::ExperimentInfo& experiment);
std::string scheme_json(const base::SchemeInfo& scheme);
std::string experiment_json(const base::ExperimentInfo& experiment);

}  // namespace poslab::app
