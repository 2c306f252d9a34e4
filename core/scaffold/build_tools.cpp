// SPDX-License-Identifier: Apache-2.0
#include "poslab/scaffold/build_tools.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace poslab::scaffold {
namespace {

bool is_in(const std::string& path, const std::string& program) {
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path file = std::filesystem::path(folder) / program;
    std::error_code problem;
    if (std::filesystem::is_regular_file(file, problem) && access(file.c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace

std::vector<BuildTool> missing_build_tools(const std::string& path) {
  static const struct {
    BuildTool tool;
    std::vector<std::string> programs;  // one of which is enough
  } all[] = {{{"a C++ compiler", "g++", ""}, {"c++", "g++", "clang++"}},
             {{"CMake", "cmake", "cmake"}, {"cmake"}},
             {{"Ninja", "ninja-build", "ninja"}, {"ninja", "ninja-build"}}};
  std::vector<BuildTool> missing;
  for (const auto& [tool, programs] : all)
    if (std::none_of(programs.begin(), programs.end(), [&](const auto& program) { return is_in(path, program); }))
      missing.push_back(tool);
  return missing;
}

}  // namespace poslab::scaffold
