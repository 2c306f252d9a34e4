// SPDX-License-Identifier: Apache-2.0
// Which symbols a shared library offers to others, and where its own libraries are looked for; read from the file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace poslab::check {

/// Defined dynamic symbols that others can see, in the file's order. Throws Failed: not a library.
std::vector<std::string> exported_symbols(const std::filesystem::path& file);

/// Where the loader looks first for the libraries that it links against (DT_RUNPATH, or DT_RPATH), directory by
/// directory. Throws Failed: not a library.
std::vector<std::string> library_search_path(const std::filesystem::path& file);

}  // namespace poslab::check
