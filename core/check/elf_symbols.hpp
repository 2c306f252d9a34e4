// SPDX-License-Identifier: Apache-2.0
// Which symbols a shared library offers to others, read from the file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace poslab::check {

/// Defined dynamic symbols that others can see, in the file's order. Throws NotALibrary.
std::vector<std::string> exported_symbols(const std::filesystem::path& file);

}  // namespace poslab::check
