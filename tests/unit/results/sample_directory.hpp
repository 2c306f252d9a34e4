// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace poslab::sample {

/// A temporary directory, removed at the end.
class Directory {
 public:
  std::string path() const { return scratch_.path; }
  std::string operator/(const std::string& name) const { return scratch_ / name; }
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.path))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  check::Scratch scratch_;
};

}  // namespace poslab::sample
