// SPDX-License-Identifier: Apache-2.0
// The plugins that a command works with, and all that they and this build offer.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/library.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::run {

/// Not a single scheme was found.
base::Error no_schemes(const std::vector<std::string>& searched, const std::vector<host::Refusal>& passed_over);

/// What the plugins of `directories`, POSLAB_PLUGIN_PATH and the usual place offer, the Python files that `studies`
/// name, and those among `named` (of --only), each opened in `backend`, which then knows them. Throws `no_schemes`.
host::Library open_library(const std::vector<std::string>& directories, workers::Backend& backend,
                           const std::vector<std::string>& studies = {}, const std::vector<std::string>& named = {});
/// The same, opened in a worker of its own.
host::Library open_library(const std::vector<std::string>& directories);

data::Catalogue catalogue_of(const host::Library& library);

/// A line for each file that was passed over.
std::string refusals_text(const std::vector<host::Refusal>& refusals);

}  // namespace poslab::run
