// SPDX-License-Identifier: Apache-2.0
#include "linked_libraries.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "poslab/base/hash.hpp"

namespace poslab::host {
namespace {

bool is_systems_own(const std::string& file) {
  static constexpr std::array<const char*, 4> folders{"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
  return std::any_of(folders.begin(), folders.end(), [&](const char* folder) { return file.rfind(folder, 0) == 0; });
}

}  // namespace

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        if (info->dlpi_name && *info->dlpi_name)
          static_cast<std::vector<std::string>*>(data)->emplace_back(info->dlpi_name);
        return 0;
      },
      &files);
  return files;
}

std::vector<data::LinkedLibrary> linked_libraries(const std::vector<std::string>& before,
                                                  const std::vector<std::string>& after,
                                                  const std::filesystem::path& plugin) {
  std::vector<data::LinkedLibrary> linked;
  for (const std::string& name : after) {
    if (std::find(before.begin(), before.end(), name) != before.end()) continue;
    std::error_code problem;
    const std::filesystem::path file = std::filesystem::weakly_canonical(name, problem);
    if (problem || is_systems_own(file.string()) || std::filesystem::equivalent(file, plugin, problem)) continue;
    if (std::filesystem::is_regular_file(file, problem))  // the kernel's own library is no file
      linked.push_back({file.string(), base::sha256_of_file(file.string())});
  }
  std::sort(linked.begin(), linked.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return linked;
}

}  // namespace poslab::host
