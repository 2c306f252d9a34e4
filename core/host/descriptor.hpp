// SPDX-License-Identifier: Apache-2.0
// From a plugin's table to the catalogue's terms: every rule for a table is checked here, once.
#pragma once

#include <string>

#include "poslab/data/catalogue.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

/// Empty if the constant's first three members fit this host: major version, minor version, struct size.
std::string why_not_version(const poslab_plugin& constant);

/// The scheme that `table` declares; throws base::Error with the rule that it breaks. `file` members stay empty.
data::SchemeInfo describe(const poslab_plugin& table);

/// Whether `name` is lower_case with a letter first, as parameters and weights must be.
bool is_lower_case_name(const std::string& name);

}  // namespace poslab::host
