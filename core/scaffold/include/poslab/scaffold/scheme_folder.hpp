// SPDX-License-Identifier: Apache-2.0
// What to begin a scheme of one's own with: a folder with a scheme that builds, its page, its test and its CMake lines;
// or a Python file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/scaffold/build_tools.hpp"

namespace poslab::scaffold {

/// What there is to begin with: "additive", "rotary" and "bias".
const std::vector<std::string>& families();

struct SchemeFolder {
  std::filesystem::path folder;
  std::string name, family;
  bool in_tree = false;                 ///< among poslab's own plugins, which its build finds by their folders
  std::filesystem::path prefix;         ///< where CMake must be told to look for poslab; empty: it finds it
  std::vector<BuildTool> missing = {};  ///< without which it cannot be built here
};

/// Writes DIRECTORY/NAME, whole or not at all; DIRECTORY is made if nothing is there. Throws base::Error for a
/// name or a family that cannot be, base::FileError.
SchemeFolder write_scheme_folder(const std::string& name, const std::string& family,
                                 const std::filesystem::path& directory);

/// Writes DIRECTORY/NAME.py, with _ for -, in the same way: a scheme that is a Python file. Returns its path.
std::filesystem::path write_scheme_file(const std::string& name, const std::string& family,
                                        const std::filesystem::path& directory);

}  // namespace poslab::scaffold
