// SPDX-License-Identifier: Apache-2.0
// The schemes that ship, for tests of all of them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

/// Their ids in alphabetical order. Throws where some are not built: a test of all must not pass without them.
inline std::vector<std::string> shipped_schemes() {
  std::vector<std::string> ids;
  for (const auto& file : std::filesystem::directory_iterator(POSLAB_PLUGIN_DIR))
    if (file.path().extension() == ".so") ids.push_back(file.path().stem().string());
  if (ids.size() < 40) throw std::logic_error("only " + std::to_string(ids.size()) + " schemes are built, not 40");
  std::sort(ids.begin(), ids.end());
  return ids;
}
