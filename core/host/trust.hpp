// SPDX-License-Identifier: Apache-2.0
// Plugins that anybody may change are not loaded.
#pragma once

#include <filesystem>
#include <string>

namespace poslab::host {

/// Whether everybody may write to this file or directory (or to what it links to).
bool is_everybodys(const std::filesystem::path& path);

}  // namespace poslab::host
