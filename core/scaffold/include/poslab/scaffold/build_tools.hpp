// SPDX-License-Identifier: Apache-2.0
// The programs with which a scheme in C++ is built.
#pragma once

#include <string>
#include <vector>

namespace poslab::scaffold {

struct BuildTool {
  std::string name;            ///< "CMake"
  std::string debian_package;  ///< "cmake"
  std::string pip_package;     ///< "cmake"; empty: pip has none
};

/// Those that no folder of `path`, which is written as in the variable PATH, has.
std::vector<BuildTool> missing_build_tools(const std::string& path);

}  // namespace poslab::scaffold
