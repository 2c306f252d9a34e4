// SPDX-License-Identifier: Apache-2.0
// What a plugin links against, beyond the system's own.
#pragma once

#include <vector>

#include "poslab/data/catalogue.hpp"

namespace poslab::host {

/// The libraries that a loaded library needs, and those that they need, with their hashes, in order of path; without
/// what lies in the system's own folders (/lib*, /usr/lib*). The same whoever has loaded them before. `handle`: of
/// dlopen.
std::vector<data::LinkedLibrary> linked_libraries(void* handle);

}  // namespace poslab::host
