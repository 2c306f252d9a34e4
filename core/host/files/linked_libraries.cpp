// SPDX-License-Identifier: Apache-2.0
#include "files/plugin_file.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "poslab/base/hash.hpp"
#include "poslab/host/elf_file.hpp"

namespace poslab::host {
namespace {

namespace fs = std::filesystem;

bool is_systems_own(const std::string& file) {
  static constexpr std::array<const char*, 4> folders{"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
  return std::any_of(folders.begin(), folders.end(), [&](const char* folder) { return file.rfind(folder, 0) == 0; });
}

// The file behind what the loader or a library calls a library; empty: there is none.
std::string file_of(const std::string& name) {
  std::error_code problem;
  const fs::path file = fs::weakly_canonical(name, problem);
  return !problem && fs::is_regular_file(file, problem) ? file.string() : "";
}

// Whether a mapped library is the one that is asked for by `name`.
bool is_called(const std::string& mapped, const std::string& name) {
  if (fs::path(mapped).filename() == fs::path(name).filename()) return true;
  if (is_systems_own(mapped)) return false;  // those have their names
  const std::string file = file_of(mapped);
  return !file.empty() && ElfFile(file).own_name() == name;
}

// The library that is asked for by `name`: where two have it, the one at this very path.
const std::string* find(const std::set<std::string>& mapped, const std::string& name) {
  const std::string* found = nullptr;
  for (const std::string& library : mapped) {
    if (!is_called(library, name)) continue;
    if (name.find('/') == std::string::npos || file_of(library) == file_of(name)) return &library;
    found = &library;
  }
  return found;
}

// Adds the files of what `library` asks for; those of the system's own ask for nothing else.
void add_companions(const std::string& library, const std::set<std::string>& mapped, std::set<std::string>& files) {
  for (const std::string& name : ElfFile(library).companions()) {
    const std::string* const found = find(mapped, name);
    const std::string file = found ? file_of(*found) : "";
    if (!file.empty() && !is_systems_own(file) && files.insert(file).second) add_companions(file, mapped, files);
  }
}

}  // namespace

std::set<std::string> mapped_libraries() {
  std::set<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        // The program itself has no name, and the kernel's own library no folder.
        if (library->dlpi_name && std::strchr(library->dlpi_name, '/'))
          static_cast<std::set<std::string>*>(found)->insert(library->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

std::vector<data::LinkedLibrary> linked_libraries(const std::string& plugin, const std::set<std::string>& before) {
  const std::set<std::string> mapped = mapped_libraries();
  const std::string own = file_of(plugin);
  std::set<std::string> files;
  for (const std::string& library : mapped) {
    if (before.contains(library)) continue;
    if (std::string file = file_of(library); !file.empty() && !is_systems_own(file)) files.insert(std::move(file));
  }
  add_companions(own, mapped, files);
  files.erase(own);
  std::vector<data::LinkedLibrary> linked;
  for (const std::string& file : files) linked.push_back({file, base::sha256_of_file(file)});
  return linked;
}

}  // namespace poslab::host
