// SPDX-License-Identifier: Apache-2.0
// What the loader brings in for a plugin, beyond what is the system's own or was there before.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"

namespace poslab::host {

/// The files of all libraries that are loaded into this process, as the loader names them, in its order.
std::vector<std::string> loaded_libraries();

/// Those of `after` that `before` has not, without `plugin` itself and without what lies in the system's own folders
/// (/lib*, /usr/lib*), each with its hash, in order of path.
std::vector<data::LinkedLibrary> linked_libraries(const std::vector<std::string>& before,
                                                  const std::vector<std::string>& after,
                                                  const std::filesystem::path& plugin);

}  // namespace poslab::host
