// SPDX-License-Identifier: Apache-2.0
// Whose code a plugin runs beside its own.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"

namespace poslab::host {

/// The libraries that this process has mapped, as the loader names them.
std::set<std::string> mapped_libraries();

/// What a plugin that was loaded has brought with it, with its hashes, in order of path: all that is mapped now and was
/// not `before` it was loaded, and what it asks for by name that others had brought already; without what lies in the
/// system's own folders (/lib*, /usr/lib*). Throws base::FileError, NotElf.
std::vector<data::LinkedLibrary> linked_libraries(const std::string& plugin, const std::set<std::string>& before);

}  // namespace poslab::host
