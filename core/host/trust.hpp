// SPDX-License-Identifier: Apache-2.0
// Whose code a plugin may be: not everybody's.
#pragma once

#include <filesystem>
#include <string>

namespace poslab::host {

/// Whether anybody at all may change this file or directory (what it leads to, if it is a link).
bool is_everybodys(const std::filesystem::path& path);

}  // namespace poslab::host
