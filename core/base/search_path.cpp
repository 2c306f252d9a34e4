// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/search_path.hpp"

#include <algorithm>
#include <cstdlib>

namespace poslab::base {

std::vector<std::string> entries_in(std::string_view list) {
  std::vector<std::string> entries;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    entries.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return entries;
}

std::vector<std::string> folders_in(std::string_view list) {
  std::vector<std::string> folders = entries_in(list);
  std::erase(folders, "");
  return folders;
}

std::vector<std::string> folders_of_environment(const char* name) {
  const char* list = std::getenv(name);
  return folders_in(list ? list : "");
}

}  // namespace poslab::base
