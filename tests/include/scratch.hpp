// SPDX-License-Identifier: Apache-2.0
// A folder for one test, gone with it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace check {

struct Scratch {
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "poslab-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary directory");
    path = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path); }
  std::filesystem::path operator/(const std::string& name) const { return path / name; }
  std::filesystem::path path;
};

}  // namespace check
