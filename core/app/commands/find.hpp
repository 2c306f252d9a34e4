// SPDX-License-Identifier: Apache-2.0
// `poslab find`: what was found, by kind: a line each, and what to run next.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/json.hpp"
#include "poslab/run/find.hpp"

namespace poslab::app {

/// In lines of at most 80 columns; of each kind the nearest few, or `all`.
std::string hits_text(const std::vector<run::Hit>& found, const std::filesystem::path& folder, bool all);
base::Json hits_json(const std::vector<run::Hit>& found);

}  // namespace poslab::app
