// SPDX-License-Identifier: Apache-2.0
// What ships with the program: studies, its Python package.
#pragma once

#include <filesystem>

namespace poslab::app {

/// share/poslab beside the program's folder, in an installation as in the build tree.
inline std::filesystem::path shared_folder() {
  return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "share/poslab";
}

}  // namespace poslab::app
