// SPDX-License-Identifier: Apache-2.0
#include "files/linked_libraries.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>

#include "poslab/base/hash.hpp"

namespace poslab::host {
namespace {

bool is_systems_own(const std::string& file) {
  static constexpr std::array<const char*, 4> folders{"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
  return std::any_of(folders.begin(), folders.end(), [&](const char* folder) { return file.rfind(folder, 0) == 0; });
}

// The texts of all entries of one kind in a loaded library's dynamic section.
std::vector<std::string> dynamic_texts(const link_map& library, ElfW(Sxword) tag) {
  const char* strings = nullptr;
  std::vector<ElfW(Xword)> offsets;
  for (const ElfW(Dyn)* entry = library.l_ld; entry && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB)
      strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);  // glibc made it absolute
    if (entry->d_tag == tag) offsets.push_back(entry->d_un.d_val);
  }
  std::vector<std::string> texts;
  for (const ElfW(Xword) offset : offsets)
    if (strings) texts.emplace_back(strings + offset);
  return texts;
}

bool is_called(const link_map& library, const std::string& name) {
  if (std::filesystem::path(library.l_name).filename() == name) return true;
  const std::vector<std::string> own = dynamic_texts(library, DT_SONAME);
  return std::find(own.begin(), own.end(), name) != own.end();
}

// Adds the files of what `library` needs; those of the system's own need nothing else.
void add_needed(const link_map& library, const link_map* first, std::set<std::string>& files) {
  for (const std::string& name : dynamic_texts(library, DT_NEEDED))
    for (const link_map* other = first; other; other = other->l_next) {
      // The program itself has no name, and the kernel's own library, whose section is not relocated, no folder.
      if (!std::strchr(other->l_name, '/') || !is_called(*other, name)) continue;
      std::error_code problem;
      const std::string file = std::filesystem::weakly_canonical(other->l_name, problem).string();
      const bool is_file = !problem && std::filesystem::is_regular_file(file, problem);
      if (is_file && !is_systems_own(file) && files.insert(file).second) add_needed(*other, first, files);
      break;
    }
}

}  // namespace

std::vector<data::LinkedLibrary> linked_libraries(void* handle) {
  link_map* plugin = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &plugin) != 0 || !plugin) return {};
  const link_map* first = plugin;
  while (first->l_prev) first = first->l_prev;
  std::set<std::string> files;
  add_needed(*plugin, first, files);
  std::vector<data::LinkedLibrary> linked;
  for (const std::string& file : files) linked.push_back({file, base::sha256_of_file(file)});
  return linked;
}

}  // namespace poslab::host
