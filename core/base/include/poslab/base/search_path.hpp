// SPDX-License-Identifier: Apache-2.0
// Lists of folders in which something is looked for, as PATH and PYTHONPATH are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace poslab::base {

/// All entries between the colons, empty ones too: to whoever reads such a list, these are the working directory.
std::vector<std::string> entries_in(std::string_view list);

/// Those that are not empty: "$PYTHONPATH:/mine" has an empty one where the variable was not set, and nobody meant it.
std::vector<std::string> folders_in(std::string_view list);

/// Those of the environment's variable `name`; none where it is not set.
std::vector<std::string> folders_of_environment(const char* name);

}  // namespace poslab::base
