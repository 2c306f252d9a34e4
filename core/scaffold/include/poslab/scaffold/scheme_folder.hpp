// SPDX-License-Identifier: Apache-2.0
// A folder to begin a scheme of one's own with: a scheme that builds, its page, its test and its CMake lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/bad_argument.hpp"

namespace poslab::scaffold {

/// What there is to begin with: "additive", "rotary" and "bias".
const std::vector<std::string>& families();

/// A name that no scheme can have.
struct UnusableName : base::BadArgument {
  explicit UnusableName(const std::string& name);
  std::string name;
};

/// A family that there is nothing to begin with of.
struct UnknownFamily : base::BadArgument {
  explicit UnknownFamily(const std::string& family);
  std::string family;
};

/// The folder cannot be made where it was asked for: something is there, and is no directory.
struct NoDirectory : base::FileError {
  explicit NoDirectory(const std::filesystem::path& directory);
};

/// Something has the folder's name: it is left alone.
struct FolderExists : base::FileError {
  explicit FolderExists(const std::filesystem::path& folder);
};

struct SchemeFolder {
  std::filesystem::path folder;
  std::string name, family;
  bool in_tree = false;          ///< among poslab's own plugins, which its build finds by their folders
  std::filesystem::path prefix;  ///< where CMake must be told to look for poslab; empty: it finds it
};

/// Writes DIRECTORY/NAME, whole or not at all; DIRECTORY is made if nothing is there. Throws UnusableName,
/// UnknownFamily, NoDirectory, FolderExists, base::FileError (base::DiskError if the disk is at fault).
SchemeFolder write_scheme_folder(const std::string& name, const std::string& family,
                                 const std::filesystem::path& directory);

}  // namespace poslab::scaffold
