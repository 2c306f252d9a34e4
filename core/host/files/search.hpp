// SPDX-License-Identifier: Apache-2.0
// Where plugins are looked for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace poslab::host {

/// The plugin directory that belongs to the program `executable`: `../plugins` beside it (build tree), else
/// `../lib/poslab/plugins` (installation); the first if neither exists.
std::filesystem::path directory_beside(const std::filesystem::path& executable);

/// "a:b" -> a, b; empty parts are passed over.
std::vector<std::filesystem::path> split_path_list(const std::string& list);

/// Empty if plugins may be loaded from `directory`; else the reason: missing, not a directory, world-writable ...
std::string why_not_directory(const std::filesystem::path& directory);

}  // namespace poslab::host
