// SPDX-License-Identifier: Apache-2.0
#include "files/plugin_file.hpp"

#include <system_error>

#include "poslab/base/search_path.hpp"
#include "poslab/host/library.hpp"

namespace poslab::host {

std::filesystem::path directory_beside(const std::filesystem::path& executable) {
  const std::filesystem::path root = executable.parent_path().parent_path();
  const std::filesystem::path built = root / "plugins", installed = root / "lib" / "poslab" / "plugins";
  std::error_code problem;
  const bool only_installed =
      !std::filesystem::is_directory(built, problem) && std::filesystem::is_directory(installed, problem);
  return only_installed ? installed : built;
}

std::optional<base::Refusal> why_not_directory(const std::filesystem::path& directory) {
  std::error_code problem;
  const auto status = std::filesystem::status(directory, problem);
  if (status.type() == std::filesystem::file_type::not_found) return "no such directory";
  if (problem) return "cannot be read: " + problem.message();
  if (status.type() != std::filesystem::file_type::directory) return "not a directory";
  if (is_world_writable(directory)) return "everybody may write to this directory; remove that permission (chmod o-w)";
  return std::nullopt;
}

std::vector<PluginDirectory> Library::search_path(const std::vector<std::filesystem::path>& explicit_directories) {
  std::vector<PluginDirectory> path(explicit_directories.begin(), explicit_directories.end());
  for (const std::string& directory : base::folders_of_environment("POSLAB_PLUGIN_PATH"))
    path.emplace_back(directory, false);
  path.emplace_back(directory_beside(std::filesystem::read_symlink("/proc/self/exe")), false);
  return path;
}

}  // namespace poslab::host
